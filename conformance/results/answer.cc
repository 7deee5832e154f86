#include "conformance/results/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <vector>

#include "conformance/cases/digest.h"
#include "conformance/results/tally.h"

namespace poolproof {
namespace {

constexpr size_t kDigestDigits = 16;
constexpr size_t kMinHexWord = 6;

void AddNumber(int64_t number, Digest* digest) {
  uint8_t bytes[8];
  for (int i = 0; i < 8; ++i) bytes[i] = static_cast<uint8_t>(static_cast<uint64_t>(number) >> 8 * i);
  digest->Add(bytes, sizeof bytes);
}

// Writes one and the same NaN over all others. `exponent`: the bits of the exponent, all of which
// are set in infinities and NaN.
template <typename Bits>
void Unify(Bits exponent, std::vector<std::byte>* bytes) {
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  for (size_t at = 0; at + sizeof(Bits) <= bytes->size(); at += sizeof(Bits)) {
    Bits bits;
    std::memcpy(&bits, bytes->data() + at, sizeof bits);
    if (static_cast<Bits>(bits & ~kSign) <= exponent) continue;
    bits = static_cast<Bits>(~kSign);
    std::memcpy(bytes->data() + at, &bits, sizeof bits);
  }
}

void UnifyNan(poolproof_element_type type, std::vector<std::byte>* bytes) {
  switch (type) {
    case POOLPROOF_F64: return Unify<uint64_t>(0x7ff0000000000000, bytes);
    case POOLPROOF_F32: return Unify<uint32_t>(0x7f800000, bytes);
    case POOLPROOF_F16: return Unify<uint16_t>(0x7c00, bytes);
    case POOLPROOF_BF16: return Unify<uint16_t>(0x7f80, bytes);
    default: return;
  }
}

void AddOutput(const poolproof_tensor& tensor, const std::byte* data, int64_t room, Digest* digest) {
  AddNumber(tensor.element_type, digest);
  AddNumber(tensor.rank, digest);
  for (int32_t d = 0; d < std::clamp(tensor.rank, 0, POOLPROOF_MAX_RANK); ++d) {
    AddNumber(tensor.dims[d], digest);
  }
  AddNumber(tensor.frac_bits, digest);
  AddNumber(static_cast<int64_t>(tensor.size_bytes), digest);
  if (data == nullptr) return;
  std::vector<std::byte> bytes(data, data + std::min(room, static_cast<int64_t>(tensor.size_bytes)));
  UnifyNan(tensor.element_type, &bytes);
  digest->Add(bytes.data(), bytes.size());
}

bool Varies(Verdict verdict) { return verdict == Verdict::kNondeterministic; }

bool IsHexWord(std::string_view word) {
  return word.size() >= kMinHexWord && std::all_of(word.begin(), word.end(), [](char c) {
           return std::isxdigit(static_cast<unsigned char>(c)) != 0;
         });
}

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool HasDigit(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The text without what is quoted behind a colon, which a backend printed: it differs from case to case.
std::string WithoutQuotation(const std::string& text) {
  constexpr std::string_view kBegin = ": \"";
  const size_t begin = text.find(kBegin);
  if (begin == text.npos) return text;
  size_t end = begin + kBegin.size();
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  return text.substr(0, begin) + (end < text.size() ? text.substr(end + 1) : "");
}

}  // namespace

std::string AnswerDigest(const Call& call, Capacity capacity, const CaseResult& result, Verdict verdict) {
  Digest digest;
  if (result.event != Event::kNone) {
    return digest.Add(EventCause(result)).Hex().substr(0, kDigestDigits);
  }
  if (Varies(verdict)) return digest.Add(VerdictName(verdict)).Hex().substr(0, kDigestDigits);
  return AnswerDigest(result.infer_status, Judge::Answer(call, result, 0), capacity);
}

std::string AnswerDigest(poolproof_status inferred, const Result& answer, Capacity capacity) {
  Digest digest;
  AddNumber(inferred, &digest);
  AddNumber(answer.status, &digest);
  for (size_t i = 0; answer.status == POOLPROOF_OK && i < answer.output_count; ++i) {
    const auto* data = static_cast<const std::byte*>(answer.outputs[i].data);
    const int64_t room = capacity.Room(i, static_cast<int64_t>(answer.outputs[i].size_bytes));
    AddOutput(answer.outputs[i], answer.computed ? data : nullptr, room, &digest);
  }
  return digest.Hex().substr(0, kDigestDigits);
}

bool IsRefusal(std::string_view digest) {
  const auto refusal = [](poolproof_status inferred) {
    Result refused;
    refused.status = POOLPROOF_INVALID_ARGUMENT;
    return AnswerDigest(inferred, refused, {});
  };
  // Every case of a run that has a line is asked.
  static const std::string by_infer_shapes = refusal(POOLPROOF_INVALID_ARGUMENT), by_run = refusal(POOLPROOF_OK);
  return digest == by_infer_shapes || digest == by_run;
}

uint64_t AnswerNumber(std::string_view digest) {
  uint64_t number = 0;
  std::from_chars(digest.data(), digest.data() + digest.size(), number, 16);
  return number;
}

std::string EvidenceDigest(std::string_view evidence) { return Digest().Add(evidence).Hex().substr(0, kDigestDigits); }

std::string EventCause(const CaseResult& result) { return StableWords(WithoutQuotation(result.event_text)); }

std::string SignatureOf(const PlannedCase& planned, const Judgement& judgement, const CaseResult& result) {
  if (judgement.verdict == Verdict::kDeviates) return DeviationKey(judgement);
  std::string what;
  if (result.event != Event::kNone) {
    what = EventCause(result);
  } else if (judgement.verdict == Verdict::kFail) {
    what = fmt::format("{} {}", static_cast<int>(judgement.difference), judgement.output);
  } else if (judgement.verdict == Verdict::kMissing) {
    what = StableWords(judgement.message);
  }
  return fmt::format("{}|{}", planned.problem.spec->id, what);
}

bool IsOfError(std::string_view signature) {
  return signature.ends_with(fmt::format("|{} 0", static_cast<int>(Difference::kStatus)));
}

std::string StableWords(std::string_view text) {
  std::string stable;
  while (!text.empty()) {
    size_t end = 0;
    while (end < text.size() && IsWord(text[end])) ++end;
    const std::string_view word = text.substr(0, end);
    stable += HasDigit(word) || IsHexWord(word) ? std::string_view("#") : word;
    if (end < text.size()) stable += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return stable;
}

}  // namespace poolproof
