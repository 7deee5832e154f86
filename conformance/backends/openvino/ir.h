// A call, written as an OpenVINO IR: one layer, exactly as the documents print it.
#pragma once

#include <string>
#include <string_view>

#include "conformance/backend_helper.h"

namespace poolproof::openvino {

// Name of an element type in an IR ("f32"); "" for a type that OpenVINO does not have.
std::string_view TypeName(poolproof_element_type type);

// True where the operator is named as OpenVINO names versions: "MaxPool-8".
bool IsVersionedName(std::string_view op);

// The IR of `call`: Parameter, Const for the second input, the layer with type and opset from the
// operator's name and with the attributes that the call has, one Result per output. Attributes that
// the call leaves out are left out. `write_dilations` adds dilations of 1 where operators from
// version 8 on leave them out.
//
// The bytes of the Const are those of the call's second input; the caller provides them as weights.
std::string WriteIr(const backend::CallView& call, bool write_dilations);

// The IR of a model that returns its input, one element of `type`.
std::string WriteIdentityIr(poolproof_element_type type);

}  // namespace poolproof::openvino
