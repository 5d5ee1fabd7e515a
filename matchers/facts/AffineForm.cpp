// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/AffineForm.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace barricade;

/// Products of sums grow fast; no index that says something has so many terms.
static constexpr size_t MaxTerms = 256;

AffineForm::AffineForm(int64_t Constant) { add({}, Constant); }

AffineForm::AffineForm(Symbol S) { add({std::move(S)}, 1); }

void AffineForm::add(const Monomial &M, int64_t Coefficient) {
  if (Coefficient == 0)
    return;
  auto [It, IsNew] = Terms.try_emplace(M, Coefficient);
  if (IsNew)
    return;
  Known &= !llvm::AddOverflow(It->second, Coefficient, It->second);
  if (It->second == 0)
    Terms.erase(It);
}

AffineForm AffineForm::operator+(const AffineForm &O) const {
  AffineForm Sum = *this;
  Sum.Known &= O.Known;
  for (const auto &[M, C] : O.Terms)
    Sum.add(M, C);
  return Sum;
}

AffineForm AffineForm::operator-(const AffineForm &O) const {
  return *this + O * AffineForm(-1);
}

AffineForm AffineForm::operator*(const AffineForm &O) const {
  AffineForm Product;
  Product.Known = Known && O.Known;
  if (Terms.size() * O.Terms.size() > MaxTerms) {
    Product.Known = false;
    return Product;
  }
  for (const auto &[MA, CA] : Terms)
    for (const auto &[MB, CB] : O.Terms) {
      Monomial M;
      std::merge(MA.begin(), MA.end(), MB.begin(), MB.end(),
                 std::back_inserter(M));
      int64_t C;
      Product.Known &= !llvm::MulOverflow(CA, CB, C);
      Product.add(M, C);
    }
  return Product;
}

std::optional<AffineForm> AffineForm::dividedBy(int64_t Divisor) const {
  AffineForm Quotient;
  Quotient.Known = Known;
  for (const auto &[M, C] : Terms) {
    if (Divisor <= 0 || C % Divisor != 0)
      return std::nullopt;
    Quotient.add(M, C / Divisor);
  }
  return Quotient;
}

std::optional<int64_t> AffineForm::asConstant() const {
  if (!Known || any([](const Symbol &) { return true; }))
    return std::nullopt;
  return constantTerm();
}

int64_t AffineForm::constantTerm() const {
  auto It = Terms.find({});
  return It == Terms.end() ? 0 : It->second;
}

AffineForm AffineForm::coefficient(const Symbol &S) const {
  AffineForm Result;
  Result.Known = Known;
  for (const auto &[M, C] : Terms) {
    auto It = llvm::find(M, S);
    if (It == M.end())
      continue;
    Monomial Rest = M;
    Rest.erase(Rest.begin() + (It - M.begin()));
    Result.add(Rest, C);
  }
  return Result;
}

AffineForm AffineForm::substitute(const Symbol &S,
                                  const AffineForm &Value) const {
  AffineForm Result;
  Result.Known = Known;
  for (const auto &[M, C] : Terms) {
    AffineForm Term(C);
    for (const Symbol &Factor : M)
      Term = Term * (Factor == S ? Value : AffineForm(Factor));
    Result = Result + Term;
  }
  return Result;
}

AffineForm
AffineForm::without(llvm::function_ref<bool(const Symbol &)> Drop) const {
  AffineForm Result;
  Result.Known = Known;
  for (const auto &[M, C] : Terms)
    if (llvm::none_of(M, Drop))
      Result.add(M, C);
  return Result;
}

AffineForm AffineForm::wrapping() const {
  AffineForm Result;
  Result.Known = Known;
  for (const auto &[M, C] : Terms) {
    Monomial Marked = M;
    for (Symbol &S : Marked)
      S.MayWrap |= S.Kind == Symbol::Induction;
    Result.add(Marked, C);
  }
  return Result;
}

bool AffineForm::any(llvm::function_ref<bool(const Symbol &)> Is) const {
  return llvm::any_of(
      Terms, [&](const auto &Term) { return llvm::any_of(Term.first, Is); });
}

bool AffineForm::contains(const Symbol &S) const {
  return any([&](const Symbol &O) { return O == S; });
}

std::vector<Symbol> AffineForm::symbols() const {
  std::vector<Symbol> All;
  for (const auto &[M, C] : Terms)
    All.insert(All.end(), M.begin(), M.end());
  llvm::sort(All);
  All.erase(std::unique(All.begin(), All.end()), All.end());
  return All;
}

/// `4*n*threadIdx.x` without its sign; \p Coefficient is not negative.
static std::string termText(const AffineForm::Monomial &M,
                            uint64_t Coefficient) {
  std::string Text;
  if (M.empty() || Coefficient != 1)
    Text = std::to_string(Coefficient);
  // As one writes it: sizes, then what they multiply, `n*k`; but CUDA's idiom
  // is `blockIdx.x*blockDim.x`, which is the order of the kinds.
  auto Key = [](const Symbol &S) {
    return std::tuple(S.Kind < Symbol::Uniform, S.Kind, S.Dim, S.Name);
  };
  AffineForm::Monomial Factors = M;
  llvm::sort(Factors,
             [&](const Symbol &A, const Symbol &B) { return Key(A) < Key(B); });
  for (const Symbol &S : Factors)
    Text += (Text.empty() ? "" : "*") + S.Name;
  return Text;
}

std::string AffineForm::str() const {
  if (!Known)
    return "?";
  // By what kind of symbol it holds and by name: the same text in every run,
  // whatever the symbols' addresses are. The constant comes last.
  struct Term {
    std::pair<int, std::string> Key;
    int64_t Coefficient;
    std::string Text;
  };
  std::vector<Term> Sorted;
  for (const auto &[M, C] : Terms) {
    int Kind = M.empty() ? INT32_MAX : M.front().Kind;
    // -INT64_MIN is not an int64_t, its two's complement is the magnitude.
    uint64_t Magnitude = C < 0 ? 0 - uint64_t(C) : uint64_t(C);
    Sorted.push_back({{Kind, termText(M, 1)}, C, termText(M, Magnitude)});
  }
  llvm::sort(Sorted,
             [](const Term &A, const Term &B) { return A.Key < B.Key; });
  std::string Text;
  for (const Term &T : Sorted) {
    if (Text.empty())
      Text = T.Coefficient < 0 ? "-" : "";
    else
      Text += T.Coefficient < 0 ? " - " : " + ";
    Text += T.Text;
  }
  return Text.empty() ? "0" : Text;
}

Symbol barricade::builtinSymbol(Symbol::KindTy Kind, unsigned Dim) {
  static const char *const Names[] = {"blockIdx", "blockDim", "gridDim",
                                      "threadIdx"};
  Symbol S;
  S.Kind = Kind;
  S.Dim = Dim;
  S.ThreadDependent = Kind == Symbol::ThreadIdx;
  S.Name = std::string(Names[Kind]) + "." + "xyz"[Dim];
  return S;
}
