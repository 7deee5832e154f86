#include "conformance/cases/decimal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace poolproof {
namespace {

TEST(DecimalTest, ReadsNumbers) {
  EXPECT_EQ(ReadDecimal("18446744073709551615"), 18446744073709551615.0L);
  EXPECT_EQ(ReadDecimal("-9223372036854775808"), -9223372036854775808.0L);
  EXPECT_EQ(ReadDecimal("0.1"), 0.1L);
  EXPECT_EQ(ReadDecimal("-.5e-1"), -0.05L);
  EXPECT_EQ(ReadDecimal("5."), 5.0L);
  EXPECT_TRUE(std::signbit(ReadDecimal("-0").value()));
  EXPECT_EQ(ReadDecimal("4.9406564584124654e-324"), 4.9406564584124654e-324L);
}

TEST(DecimalTest, RefusesAnythingElse) {
  for (const char* text :
       {"", "-", "+1", "--1", "-+1", " 1", "1 ", "1.2.3", "0x10", "inf", "nan", "infinity", "1e", "e5", "1,5", "."}) {
    EXPECT_FALSE(ReadDecimal(text)) << '"' << text << '"';
  }
}

TEST(DecimalTest, RefusesWhatIsOutOfRange) {
  EXPECT_FALSE(ReadDecimal("1e5000"));
  EXPECT_FALSE(ReadDecimal("-1e5000"));
  EXPECT_FALSE(ReadDecimal("1e-9000"));
}

TEST(DecimalTest, ReadsNoFurtherThanItsText) { EXPECT_EQ(ReadDecimal(std::string_view("12345").substr(0, 2)), 12.0L); }

}  // namespace
}  // namespace poolproof
