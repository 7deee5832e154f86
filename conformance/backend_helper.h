// Helper for authors of backends in C++, header only, C++17. It includes backend.h and the standard
// library and nothing else; a backend may as well be written against backend.h alone.
//
//   class MyPool {
//    public:
//     explicit MyPool(const std::vector<std::string>& options) {}
//     void InferShapes(const poolproof::backend::CallView& call);  // describe the outputs
//     void Run(const poolproof::backend::CallView& call);          // write them
//   };
//   POOLPROOF_EXPORT_BACKEND(MyPool, "my library", "1.2.3")
//
// Exceptions of a member function or the constructor become the status: Unsupported and
// InvalidArgument theirs, anything else INTERNAL_ERROR, with what() as last_error. Member functions
// may also return an Answer.
#ifndef POOLPROOF_CONFORMANCE_BACKEND_HELPER_H_
#define POOLPROOF_CONFORMANCE_BACKEND_HELPER_H_

#include <cstdint>
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "conformance/backend.h"

namespace poolproof::backend {

// Throw one of these with a sentence that names the attribute and its value.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
class InvalidArgument : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The status of a call, and where it is not OK the sentence that last_error gives.
struct Answer {
  poolproof_status status = POOLPROOF_OK;
  std::string error;
  bool Ok() const { return status == POOLPROOF_OK; }
};

// Bytes of one element; 0 for a type that this header does not know.
constexpr size_t ElementSize(poolproof_element_type type) {
  switch (type) {
    case POOLPROOF_I8:
    case POOLPROOF_U8:
    case POOLPROOF_FX8: return 1;
    case POOLPROOF_F16:
    case POOLPROOF_BF16:
    case POOLPROOF_I16:
    case POOLPROOF_U16:
    case POOLPROOF_FX16: return 2;
    case POOLPROOF_F32:
    case POOLPROOF_I32:
    case POOLPROOF_U32: return 4;
    case POOLPROOF_F64:
    case POOLPROOF_I64:
    case POOLPROOF_U64: return 8;
    default: return 0;
  }
}

// "f32", as in problem lines; "?" for a type that this header does not know.
constexpr std::string_view ElementTypeName(poolproof_element_type type) {
  constexpr std::string_view kNames[] = {"f64", "f32", "f16", "bf16", "i8",  "u8",  "i16",
                                         "u16", "i32", "u32", "i64",  "u64", "fx8", "fx16"};
  return type >= POOLPROOF_F64 && type <= POOLPROOF_FX16 ? kNames[type - 1] : "?";
}

// The type of that name; 0 where there is none.
constexpr poolproof_element_type ParseElementType(std::string_view name) {
  for (poolproof_element_type type = POOLPROOF_F64; type <= POOLPROOF_FX16; ++type) {
    if (ElementTypeName(type) == name) return type;
  }
  return 0;
}

// f64, f32, f16 and bf16.
constexpr bool IsFloat(poolproof_element_type type) { return type >= POOLPROOF_F64 && type <= POOLPROOF_BF16; }

using Dims = std::vector<int64_t>;

// Elements of a tensor of these dimensions. Throws InvalidArgument for a negative one and where the
// product does not fit.
inline int64_t ElementCount(const int64_t* dims, size_t rank) {
  int64_t count = 1;
  for (size_t i = 0; i < rank; ++i) {
    if (dims[i] < 0 || __builtin_mul_overflow(count, dims[i], &count)) {
      throw InvalidArgument("the tensor has no or too many elements");
    }
  }
  return count;
}

// A call, with its attributes by name and defaults for absent ones. Does not own the call.
class CallView {
 public:
  explicit CallView(const poolproof_call& call) : call_(call) {}

  const poolproof_call& Call() const { return call_; }
  std::string_view Op() const { return call_.op; }
  size_t InputCount() const { return call_.input_count; }
  size_t OutputCount() const { return call_.output_count; }

  const poolproof_tensor& Input(size_t i) const {
    if (i >= call_.input_count) {
      throw InvalidArgument("input " + std::to_string(i + 1) + " is missing");
    }
    return *call_.inputs[i];
  }
  poolproof_tensor& Output(size_t i) const {
    if (i >= call_.output_count) {
      throw InvalidArgument("output " + std::to_string(i + 1) + " is missing");
    }
    return *call_.outputs[i];
  }
  Dims InputDims(size_t i) const { return Dims(Input(i).dims, Input(i).dims + Input(i).rank); }

  // The elements of an input or output. T is the C type that backend.h names for its element type.
  template <typename T>
  const T* InputData(size_t i) const {
    return static_cast<const T*>(Input(i).data);
  }
  template <typename T>
  T* OutputData(size_t i) const {
    return static_cast<T*>(Output(i).data);
  }

  bool Has(std::string_view name) const { return Find(name) != nullptr; }

  int64_t Int(std::string_view name, int64_t absent) const {
    const poolproof_attribute* found = Find(name, POOLPROOF_INT);
    return found == nullptr ? absent : found->integer;
  }
  bool Bool(std::string_view name, bool absent) const {
    const poolproof_attribute* found = Find(name, POOLPROOF_BOOL);
    return found == nullptr ? absent : found->integer != 0;
  }
  std::string_view Word(std::string_view name, std::string_view absent) const {
    const poolproof_attribute* found = Find(name, POOLPROOF_WORD);
    return found == nullptr ? absent : found->word;
  }
  // One of `known`, the first of which is the default. Throws InvalidArgument for another word.
  std::string_view WordOf(std::string_view name, std::initializer_list<std::string_view> known) const {
    const std::string_view word = Word(name, *known.begin());
    for (std::string_view one : known) {
      if (word == one) return word;
    }
    throw InvalidArgument(std::string(name) + " does not know the word " + std::string(word));
  }
  // A list of exactly `size` integers; `absent` for each of them where there is no such attribute.
  Dims List(std::string_view name, size_t size, int64_t absent) const {
    const poolproof_attribute* found = Find(name, POOLPROOF_INT_LIST);
    if (found == nullptr) return Dims(size, absent);
    if (found->count != size) {
      throw InvalidArgument(std::string(name) + " has " + std::to_string(found->count) + " entries, not " +
                            std::to_string(size));
    }
    return Dims(found->integers, found->integers + found->count);
  }
  void Require(std::initializer_list<std::string_view> names) const {
    for (std::string_view name : names) {
      if (!Has(name)) throw InvalidArgument(std::string(name) + " is required");
    }
  }

  // In InferShapes: describes output `i`.
  void DescribeOutput(size_t i, poolproof_element_type type, const Dims& dims, int32_t frac_bits = 0) const {
    poolproof_tensor& output = Output(i);
    if (dims.size() > POOLPROOF_MAX_RANK) throw InvalidArgument("an output has too high a rank");
    const int64_t count = ElementCount(dims.data(), dims.size());
    if (count > std::numeric_limits<int64_t>::max() / 8) {
      throw InvalidArgument("an output has too many elements");
    }
    output.element_type = type;
    output.rank = static_cast<int32_t>(dims.size());
    for (size_t axis = 0; axis < dims.size(); ++axis) output.dims[axis] = dims[axis];
    output.size_bytes = static_cast<size_t>(count) * ElementSize(type);
    output.frac_bits = frac_bits;
  }
  // In Run: throws InvalidArgument if an output has less room than its description needs.
  void CheckCapacity() const {
    for (size_t i = 0; i < call_.output_count; ++i) {
      const poolproof_tensor& output = Output(i);
      const int64_t count = ElementCount(output.dims, static_cast<size_t>(output.rank));
      if (output.size_bytes / ElementSize(output.element_type) < static_cast<size_t>(count)) {
        throw InvalidArgument("output " + std::to_string(i + 1) + " has too little room");
      }
    }
  }

 private:
  const poolproof_attribute* Find(std::string_view name) const {
    for (size_t i = 0; i < call_.attribute_count; ++i) {
      if (name == call_.attributes[i]->name) return call_.attributes[i];
    }
    return nullptr;
  }
  const poolproof_attribute* Find(std::string_view name, poolproof_attribute_kind kind) const {
    const poolproof_attribute* found = Find(name);
    if (found != nullptr && found->kind != kind) {
      throw InvalidArgument(std::string(name) + " is of the wrong kind");
    }
    return found;
  }

  const poolproof_call& call_;
};

// The C functions around a class as described at the top.
template <typename Backend>
class Adapter {
 public:
  static poolproof_status Create(const char* const* options, size_t option_count, poolproof_instance** instance,
                                 char* error, size_t error_size) {
    std::string message;
    const poolproof_status status = Guard(&message, [&] {
      std::vector<std::string> list(options, options + option_count);
      *instance = reinterpret_cast<poolproof_instance*>(new Adapter(list));
    });
    if (status != POOLPROOF_OK && error != nullptr && error_size > 0) {
      std::snprintf(error, error_size, "%s", message.c_str());
    }
    return status;
  }
  static void Destroy(poolproof_instance* instance) { delete From(instance); }
  static poolproof_status InferShapes(poolproof_instance* instance, const poolproof_call* call) {
    Adapter* self = From(instance);
    return Guard(&self->error_, [&] { return self->backend_.InferShapes(CallView(*call)); });
  }
  static poolproof_status Run(poolproof_instance* instance, const poolproof_call* call) {
    Adapter* self = From(instance);
    return Guard(&self->error_, [&] { return self->backend_.Run(CallView(*call)); });
  }
  static const char* LastError(poolproof_instance* instance) { return From(instance)->error_.c_str(); }

 private:
  explicit Adapter(const std::vector<std::string>& options) : backend_(options) {}

  static Adapter* From(poolproof_instance* instance) { return reinterpret_cast<Adapter*>(instance); }

  // No exception crosses the ABI.
  template <typename Body>
  static poolproof_status Guard(std::string* error, Body body) noexcept {
    error->clear();
    try {
      if constexpr (std::is_void_v<decltype(body())>) {
        body();
        return POOLPROOF_OK;
      } else {
        Answer answer = body();
        *error = std::move(answer.error);
        return answer.status;
      }
    } catch (const Unsupported& e) {
      *error = e.what();
      return POOLPROOF_UNSUPPORTED;
    } catch (const InvalidArgument& e) {
      *error = e.what();
      return POOLPROOF_INVALID_ARGUMENT;
    } catch (const std::bad_alloc&) {
      *error = "out of memory";  // short enough not to allocate
    } catch (const std::exception& e) {
      *error = e.what();
    } catch (...) {
      *error = "an exception that is not a std::exception";
    }
    return POOLPROOF_INTERNAL_ERROR;
  }

  Backend backend_;
  std::string error_;
};

// The table that poolproof_get_backend returns for Backend.
template <typename Backend>
const poolproof_backend* Table(uint32_t abi_version, const char* name, const char* version) {
  static const poolproof_backend table = {sizeof(poolproof_backend),
                                          POOLPROOF_ABI_VERSION,
                                          name,
                                          version,
                                          &Adapter<Backend>::Create,
                                          &Adapter<Backend>::Destroy,
                                          &Adapter<Backend>::InferShapes,
                                          &Adapter<Backend>::Run,
                                          &Adapter<Backend>::LastError};
  return abi_version == POOLPROOF_ABI_VERSION ? &table : nullptr;
}

}  // namespace poolproof::backend

// Once per shared object, outside of any namespace.
#define POOLPROOF_EXPORT_BACKEND(Backend, name, version)                                             \
  extern "C" POOLPROOF_EXPORT const poolproof_backend* poolproof_get_backend(uint32_t abi_version) { \
    return poolproof::backend::Table<Backend>(abi_version, name, version);                           \
  }

#endif  // POOLPROOF_CONFORMANCE_BACKEND_HELPER_H_
