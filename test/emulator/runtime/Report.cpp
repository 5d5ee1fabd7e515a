// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options from the environment, and faults to stderr.

#include "Emulator.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace barricade_emu {

static uint64_t number(const char *Name, uint64_t Default) {
  const char *Text = getenv(Name);
  return Text && *Text ? strtoull(Text, nullptr, 0) : Default;
}

static Order parseOrder(const char *Text) {
  static constexpr std::pair<const char *, Order> Names[] = {
      {"inorder", Order::InOrder},
      {"reversed", Order::Reversed},
      {"random", Order::Random},
      {"ahead", Order::Ahead},
      {"starve", Order::Starve}};
  for (auto [Name, Value] : Names)
    if (!strcmp(Text, Name))
      return Value;
  fprintf(stderr, "barricade-emulate: unknown order '%s'\n", Text);
  exit(2);
}

static Options readOptions() {
  Options O;
  if (const char *Text = getenv("BARRICADE_EMU_ORDER"); Text && *Text)
    O.ThreadOrder = parseOrder(Text);
  O.Seed = number("BARRICADE_EMU_SEED", O.Seed);
  O.Sms = number("BARRICADE_EMU_SMS", O.Sms);
  O.FreeSms = number("BARRICADE_EMU_FREE_SMS", O.FreeSms);
  O.BlocksPerSm = number("BARRICADE_EMU_BLOCKS_PER_SM", O.BlocksPerSm);
  O.ThreadsPerSm = number("BARRICADE_EMU_THREADS_PER_SM", O.ThreadsPerSm);
  O.HangAccesses = number("BARRICADE_EMU_HANG_ACCESSES", O.HangAccesses);
  O.MaxAccesses = number("BARRICADE_EMU_MAX_ACCESSES", O.MaxAccesses);
  O.StackSize = number("BARRICADE_EMU_STACK", O.StackSize);
  O.StrictAcquire = number("BARRICADE_EMU_STRICT_ACQUIRE", 0);
  O.ReportExited = number("BARRICADE_EMU_REPORT_EXITED", 0);
  O.ReportTooLarge = number("BARRICADE_EMU_REPORT_TOO_LARGE", 1);
  O.ReportSameValueWrites = number("BARRICADE_EMU_SAME_VALUE_WRITES", 0);
  return O;
}

const Options &options() {
  static const Options O = readOptions();
  return O;
}

std::string format(const char *Format, ...) {
  char Buffer[1024];
  va_list Args;
  va_start(Args, Format);
  vsnprintf(Buffer, sizeof(Buffer), Format, Args);
  va_end(Args);
  return Buffer;
}

std::string describeThread(uint32_t Id) {
  auto At = [](uint64_t Linear, Index3 D) {
    return format("(%u,%u,%u)", unsigned(Linear % D.X),
                  unsigned(Linear / D.X % D.Y), unsigned(Linear / D.X / D.Y));
  };
  return "thread " + At(Id % MaxBlockThreads, blockDimensions()) +
         " of block " + At(Id >> ThreadBits, gridDimensions());
}

std::string describeAddress(uintptr_t Address) {
  const Allocation *A = findAllocation(Address);
  if (!A)
    return format("address 0x%zx", size_t(Address));
  std::string Place =
      Address < A->Begin
          ? format("%zu bytes before ", size_t(A->Begin - Address))
      : Address >= A->Begin + A->Size
          ? format("%zu bytes past the end of ",
                   size_t(Address - A->Begin - A->Size))
          : format("offset %zu in ", size_t(Address - A->Begin));
  return Place + A->Name + format(" of %zu bytes", A->Size);
}

/// The innermost frame that lies in the program, not in the executor's headers,
/// at the first of \p Pcs that has a line; empty if none has.
static std::string symbolize(const std::vector<uintptr_t> &Pcs) {
  const char *Symbolizer = getenv("BARRICADE_EMU_SYMBOLIZER");
  std::string Command =
      format("%s --obj=/proc/%d/exe --functions=none --inlines",
             Symbolizer ? Symbolizer : BARRICADE_EMU_SYMBOLIZER, int(getpid()));
  for (uintptr_t Pc : Pcs)
    Command += format(" 0x%zx", size_t(Pc));
  FILE *Pipe = popen(Command.c_str(), "r");
  if (!Pipe)
    return "";
  std::string Place;
  char Line[4096];
  while (fgets(Line, sizeof(Line), Pipe)) {
    Line[strcspn(Line, "\n")] = 0;
    bool Unknown = !*Line || *Line == '?' || strstr(Line, ":0:");
    if (Place.empty() && !Unknown && !strstr(Line, BARRICADE_EMU_INCLUDE_DIR))
      Place = Line;
  }
  pclose(Pipe);
  return Place;
}

std::string placeOf(const void *Site) {
  static std::map<const void *, std::string> Known;
  if (!Site)
    return "";
  if (auto It = Known.find(Site); It != Known.end())
    return It->second;
  // A return address belongs to the statement after the call. Code that the
  // compiler moved has no line; its neighbours have.
  uintptr_t Pc = reinterpret_cast<uintptr_t>(Site) - 1;
  std::string Place = symbolize({Pc, Pc - 8, Pc - 16, Pc - 32, Pc - 64, Pc + 16,
                                 Pc + 32, Pc + 64, Pc + 128});
  return Known[Site] = Place.empty() ? format("0x%zx", size_t(Pc)) : Place;
}

void report(const char *Kind, const std::string &Message, const void *Site,
            const std::vector<Note> &Notes) {
  fflush(stdout);
  auto Print = [](const void *At, const char *Level, const std::string &Text) {
    std::string Place = placeOf(At);
    fprintf(stderr, "%s%s%s: %s\n", Place.c_str(), Place.empty() ? "" : ": ",
            Level, Text.c_str());
  };
  Print(Site, "error", std::string(Kind) + ": " + Message);
  for (const Note &N : Notes)
    Print(N.Site, "note", N.Text);
  if (Current)
    fprintf(stderr, "note: in kernel %s, %s\n", kernelName(),
            describeThread(Current->Id).c_str());
  fflush(stderr);
  _exit(FaultExitCode);
}

} // namespace barricade_emu
