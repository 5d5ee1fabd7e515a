// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is written conforms to what is documented. The checker knows those words
// of JSON Schema that docs/json-schema.json uses, and fails on any other.

#include "Support.h"
#include "tool/Output.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "gmock/gmock.h"

using namespace barricade;
using namespace barricade::test;
using namespace llvm;

namespace {

class SchemaChecker {
public:
  explicit SchemaChecker(json::Value Root) : Root(std::move(Root)) {}

  /// One line for each fault.
  std::string check(const json::Value &V) {
    Faults.clear();
    check(V, *Root.getAsObject(), "$");
    return Faults;
  }

private:
  void fault(const std::string &Path, const Twine &Text) {
    Faults += Path + ": " + Text.str() + "\n";
  }

  void check(const json::Value &V, const json::Object &Schema,
             const std::string &Path) {
    for (const auto &[Word, Value] : Schema) {
      if (Word == "$ref")
        check(V, definition(*Value.getAsString()), Path);
      else if (Word == "type")
        checkType(V, Value, Path);
      else if (Word == "enum")
        checkOneOf(V, *Value.getAsArray(), Path);
      else if (Word == "items")
        checkItems(V, *Value.getAsObject(), Path);
      else if (Word == "required")
        checkRequired(V, *Value.getAsArray(), Path);
      else if (Word == "additionalProperties")
        checkProperties(V, Schema, Value, Path);
      else if (Word != "properties" && Word != "$schema" && Word != "title" &&
               Word != "$defs")
        fault(Path, "the checker does not know " + StringRef(Word));
    }
  }

  const json::Object &definition(StringRef Reference) {
    Reference.consume_front("#/$defs/");
    return *Root.getAsObject()->getObject("$defs")->getObject(Reference);
  }

  static bool hasType(const json::Value &V, StringRef Type) {
    switch (V.kind()) {
    case json::Value::Object:
      return Type == "object";
    case json::Value::Array:
      return Type == "array";
    case json::Value::String:
      return Type == "string";
    case json::Value::Boolean:
      return Type == "boolean";
    case json::Value::Number:
      return Type == "number" || (Type == "integer" && V.getAsInteger());
    case json::Value::Null:
      return Type == "null";
    }
    llvm_unreachable("unknown kind");
  }

  void checkType(const json::Value &V, const json::Value &Types,
                 const std::string &Path) {
    const json::Array *Several = Types.getAsArray();
    if (Several ? none_of(*Several,
                          [&](const json::Value &T) {
                            return hasType(V, *T.getAsString());
                          })
                : !hasType(V, *Types.getAsString()))
      fault(Path, "wrong type");
  }

  void checkOneOf(const json::Value &V, const json::Array &Values,
                  const std::string &Path) {
    if (!is_contained(Values, V))
      fault(Path, "not one of the values");
  }

  void checkItems(const json::Value &V, const json::Object &Schema,
                  const std::string &Path) {
    if (const json::Array *Items = V.getAsArray())
      for (const json::Value &Item : *Items)
        check(Item, Schema, Path + "[]");
  }

  void checkRequired(const json::Value &V, const json::Array &Keys,
                     const std::string &Path) {
    const json::Object *Object = V.getAsObject();
    for (const json::Value &Key : Keys)
      if (!Object || !Object->get(*Key.getAsString()))
        fault(Path, "lacks " + *Key.getAsString());
  }

  void checkProperties(const json::Value &V, const json::Object &Schema,
                       const json::Value &Others, const std::string &Path) {
    const json::Object *Known = Schema.getObject("properties");
    const json::Object *Object = V.getAsObject();
    if (!Object)
      return;
    for (const auto &[Key, Value] : *Object) {
      std::string Below = Path + "." + Key.str();
      if (const json::Object *Property =
              Known ? Known->getObject(Key) : nullptr)
        check(Value, *Property, Below);
      else if (const json::Object *Other = Others.getAsObject())
        check(Value, *Other, Below);
      else
        fault(Below, "not in the schema");
    }
  }

  json::Value Root;
  std::string Faults;
};

json::Value parse(StringRef Text) {
  Expected<json::Value> Result = json::parse(Text);
  if (Result)
    return std::move(*Result);
  ADD_FAILURE() << toString(Result.takeError());
  return nullptr;
}

SchemaChecker documentedSchema() {
  return SchemaChecker(parse(readFile("../../../docs/json-schema.json")));
}

json::Value written(const Report &R) {
  std::string Text;
  raw_string_ostream OS(Text);
  makeJsonOutput()->print(R, OS);
  return parse(Text);
}

/// A report in which no list is empty.
Report fullReport() {
  Report R;
  FileReport File;
  File.Outcome = FileReport::State::NotParsed;
  File.Notes = {"a note"};
  R.Files = {File};
  R.Rules = {"artificial-barrier"};
  Finding F = makeFinding(Verdict::Rewrite, "/a.cu", 3, {{"/a.cu", 4, 0, "x"}},
                          {makeReason("one", "/a.cu", 5)});
  F.Reasons[0].Notes = {{F.Where, "note"}};
  F.Facts = {{"a", int64_t(1), ""},
             {"b", 0.5, "s"},
             {"c", true, ""},
             {"d", std::string("x"), ""}};
  F.Accesses = {{F.Where, "load", "global", "a", 4, "?", "gathered", "?"}};
  F.Silenced = {Suppression::Kind::Comment, F.Where};
  R.Findings = {F};
  R.UnusedSuppressions = {{F.Where, "note"}};
  return R;
}

TEST(JsonSchema, OutputConforms) {
  SchemaChecker Schema = documentedSchema();
  EXPECT_EQ(Schema.check(written(fullReport())), "");
  EXPECT_EQ(Schema.check(written(Report())), "");
}

TEST(JsonSchema, CheckerSeesFaults) {
  SchemaChecker Schema = documentedSchema();
  json::Value Root = written(fullReport());
  json::Object &Finding =
      *(*Root.getAsObject()->getArray("findings"))[0].getAsObject();
  Finding["verdict"] = "maybe";
  Finding["surprise"] = 1;
  Finding.erase("rule");
  (*(*Finding.getArray("edits"))[0].getAsObject())["text"] = 7;
  std::string Faults = Schema.check(Root);
  for (const char *Fault :
       {"$.findings[].verdict: not one of the values",
        "$.findings[].surprise: not in the schema", "$.findings[]: lacks rule",
        "$.findings[].edits[].text: wrong type"})
    EXPECT_THAT(Faults, testing::HasSubstr(Fault));
}

} // namespace
