// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/RecordFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace barricade::program {
namespace {

constexpr int64_t FormatVersion = 2;
constexpr StringLiteral VersionKey = "barricade-index", ChecksumKey = "crc32";

/// What the line \p Text says of \p Key alone; null: it is no such line.
json::Value valueIn(StringRef Text, StringRef Key) {
  Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed) {
    consumeError(Parsed.takeError());
    return nullptr;
  }
  const json::Object *Fields = Parsed->getAsObject();
  const json::Value *Value = Fields ? Fields->get(Key) : nullptr;
  return Value ? *Value : nullptr;
}

uint32_t checksum(uint32_t Before, StringRef Text) {
  return crc32(Before, arrayRefFromStringRef(Text));
}

} // namespace

RecordWriter::RecordWriter(raw_ostream &OS) : OS(OS) {
  OS << "{\"" << VersionKey << "\":" << FormatVersion << "}\n";
}

void RecordWriter::add(const Record &R) {
  std::string Line;
  raw_string_ostream Text(Line);
  write(R, Text);
  Text << '\n';
  Checksum = checksum(Checksum, Line);
  OS << Line;
}

void RecordWriter::finish() {
  OS << "{\"" << ChecksumKey << "\":" << Checksum << "}\n";
}

Expected<RecordFile> RecordFile::open(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return createStringError("cannot read '" + Path +
                             "': " + Buffer.getError().message());
  return read(std::move(*Buffer));
}

Expected<RecordFile> RecordFile::read(std::unique_ptr<MemoryBuffer> Buffer) {
  const std::string Name = Buffer->getBufferIdentifier().str();
  auto [First, Rest] = Buffer->getBuffer().split('\n');
  const std::optional<int64_t> Version =
      valueIn(First, VersionKey).getAsInteger();
  if (!Version)
    return createStringError("'" + Name +
                             "' is no summary or index of barricade's");
  if (*Version != FormatVersion)
    return createStringError("'" + Name + "' has version " + Twine(*Version) +
                             " of the format, this barricade reads " +
                             Twine(FormatVersion) + ": make it anew");
  const size_t End = Rest.drop_back(Rest.ends_with("\n")).rfind('\n');
  const size_t Begin = End == StringRef::npos ? 0 : End + 1;
  const std::optional<int64_t> Told =
      valueIn(Rest.substr(Begin), ChecksumKey).getAsInteger();
  if (!Rest.ends_with("\n") || !Told)
    return createStringError("'" + Name + "' is cut short: make it anew");
  RecordFile Result(std::move(Buffer), Rest.take_front(Begin));
  if (checksum(0, Result.Lines) != *Told)
    return Result.damaged("it is not as it was written");
  return Result;
}

Error RecordFile::damaged(const Twine &Why) const {
  return createStringError("'" + name() + "' is damaged (" + Why +
                           "): make it anew");
}

Expected<Record> RecordFile::recordOf(StringRef Line) const {
  Expected<Record> R = parseRecord(Line);
  if (!R)
    return damaged(toString(R.takeError()));
  return R;
}

StringRef RecordFile::lineAt(size_t Offset) const {
  return Lines.substr(Offset).split('\n').first;
}

Expected<std::optional<Record>> RecordFile::next() {
  if (Offset >= Lines.size())
    return std::nullopt;
  const StringRef Line = lineAt(Offset);
  Expected<Record> R = recordOf(Line);
  if (!R)
    return R.takeError();
  Offset += Line.size() + 1;
  auto Key = std::make_pair(R->Kind, R->Key);
  if (Last && *Last >= Key)
    return damaged("its records are in disorder");
  Last = std::move(Key);
  return std::optional(std::move(*R));
}

Expected<size_t> RecordFile::lowerBound(StringRef Kind, StringRef Key) const {
  size_t Low = 0, High = Lines.size();
  while (Low < High) {
    const size_t Middle = Low + (High - Low) / 2;
    // npos + 1 is the beginning.
    const size_t Begin = std::max(
        Low, Middle ? Lines.take_front(Middle).rfind('\n') + 1 : size_t(0));
    const StringRef Line = lineAt(Begin);
    Expected<Record> R = recordOf(Line);
    if (!R)
      return R.takeError();
    if (std::tie(R->Kind, R->Key) < std::make_tuple(Kind, Key))
      Low = Begin + Line.size() + 1;
    else
      High = Begin;
  }
  return Low;
}

Expected<std::optional<Record>> RecordFile::find(StringRef Kind,
                                                 StringRef Key) const {
  Expected<size_t> At = lowerBound(Kind, Key);
  if (!At)
    return At.takeError();
  if (*At >= Lines.size())
    return std::nullopt;
  Expected<Record> R = recordOf(lineAt(*At));
  if (!R)
    return R.takeError();
  if (R->Kind != Kind || R->Key != Key)
    return std::nullopt;
  return std::optional(std::move(*R));
}

Error RecordFile::forEach(StringRef Kind,
                          function_ref<bool(Record)> Visit) const {
  Expected<size_t> At = lowerBound(Kind, "");
  if (!At)
    return At.takeError();
  while (*At < Lines.size()) {
    const StringRef Line = lineAt(*At);
    *At += Line.size() + 1;
    Expected<Record> R = recordOf(Line);
    if (!R)
      return R.takeError();
    if (R->Kind != Kind || !Visit(std::move(*R)))
      break;
  }
  return Error::success();
}

} // namespace barricade::program
