// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/html/Html.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace barricade::html {

/// U+2400 and up are pictures of the control characters.
static void appendPicture(std::string &Text, unsigned char Control) {
  const unsigned Picture = Control == 0x7f ? 0x21 : Control;
  Text += {'\xE2', '\x90', char(0x80 | Picture)};
}

std::string escaped(StringRef Text) {
  std::string Printable;
  for (unsigned char C : json::fixUTF8(Text))
    if ((C < 0x20 && C != '\t' && C != '\n') || C == 0x7f)
      appendPicture(Printable, C);
    else
      Printable += C;
  std::string Result;
  raw_string_ostream OS(Result);
  printHTMLEscaped(Printable, OS);
  return Result;
}

void Writer::begin(StringLiteral Tag, Attributes Having) {
  OS << '<' << Tag;
  for (const Attribute &A : Having)
    OS << ' ' << A.Name << "=\"" << escaped(A.Value) << '"';
  OS << '>';
}

void Writer::end(StringLiteral Tag) { OS << "</" << Tag << '>'; }

void Writer::element(StringLiteral Tag, Attributes Having,
                     function_ref<void()> Content) {
  begin(Tag, Having);
  Content();
  end(Tag);
}

void Writer::element(StringLiteral Tag, Attributes Having, const Twine &Words) {
  element(Tag, Having, [&] { text(Words); });
}

void Writer::empty(StringLiteral Tag, Attributes Having) { begin(Tag, Having); }

void Writer::asset(StringLiteral Tag, StringRef Source) {
  begin(Tag, {});
  OS << Source;
  end(Tag);
}

} // namespace barricade::html
