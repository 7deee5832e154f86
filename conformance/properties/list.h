// The groups of properties, one per file.
#ifndef POOLPROOF_CONFORMANCE_PROPERTIES_LIST_H_
#define POOLPROOF_CONFORMANCE_PROPERTIES_LIST_H_

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

#endif  // POOLPROOF_CONFORMANCE_PROPERTIES_LIST_H_
