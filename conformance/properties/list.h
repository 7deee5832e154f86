// The groups of properties, one per file.
#pragma once

#include <vector>

#include "conformance/properties/property.h"

namespace poolproof {

void AddIndexProperties(std::vector<Property>* properties);
void AddMaximumProperties(std::vector<Property>* properties);
void AddMeanProperties(std::vector<Property>* properties);
void AddOrderProperties(std::vector<Property>* properties);
void AddRenamingProperties(std::vector<Property>* properties);
void AddShapeProperties(std::vector<Property>* properties);

}  // namespace poolproof
