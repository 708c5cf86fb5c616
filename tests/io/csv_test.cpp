// Tables of stops, as spreadsheets export them.

#include <gtest/gtest.h>

#include "io/support.h"
#include "io/wrong_input.h"

namespace eco::io {
namespace {

using Names = std::vector<std::string>;
using Demands = std::vector<std::int64_t>;

ReadOptions orders(std::int64_t capacity, const std::string& depot = "") {
  ReadOptions options;
  options.capacity = capacity;
  options.depot = depot;
  return options;
}

TEST(Csv, WithoutDemandsIsATsp) {
  const Instance instance = parse("id,x,y\nA,0,0\nB,3.5,0\nC,0,4\n");
  EXPECT_EQ(instance.kind, ProblemKind::tsp);
  EXPECT_EQ(instance.names, (Names{"A", "B", "C"}));
  EXPECT_EQ(instance.points, (std::vector<Point>{{0, 0}, {3.5, 0}, {0, 4}}));
  EXPECT_EQ(instance.metric, Metric::euclidean);
  EXPECT_EQ(instance.name, "file");
}

TEST(Csv, WithDemandsAndACapacityIsACvrp) {
  const Instance instance =
      parse("Name;Phone;Demand;X;Y\nHub;1;;0;0\nA;2;3;1;1\nB;;4.0;2;2\n", orders(10));
  EXPECT_EQ(instance.kind, ProblemKind::cvrp);
  EXPECT_EQ(instance.names, (Names{"Hub", "A", "B"}));
  EXPECT_EQ(instance.demands, (Demands{0, 3, 4}));
  EXPECT_EQ(instance.capacity, 10);
}

TEST(Csv, DegreesAreGreatCircles) {
  for (const char* header : {"id,lat,lon", "id,Latitude,Longitude", "id,LAT,lng"}) {
    const Instance instance =
        parse(std::string(header) + "\nParis,48.8566,2.3522\nLondon,51.5074,-0.1278\n");
    EXPECT_EQ(instance.metric, Metric::great_circle);
    ASSERT_EQ(instance.places.size(), 2U);
    EXPECT_EQ(instance.places[1].latitude, 51.5074);
    EXPECT_EQ(instance.places[1].longitude, -0.1278);
    EXPECT_NEAR(instance.distance(NodeId(0), NodeId(1)), 343'557, 100);
  }
}

TEST(Csv, ColumnsAndSeparatorsAreToldByTheHeader) {
  const Instance comma = parse("y,x,id\n2,1,A\n4,3,B\n");
  for (const char* text : {"id;x;y\nA;1;2\nB;3;4\n", "id\tx\ty\nA\t1\t2\nB\t3\t4\n",
                           "\xef\xbb\xbf\"id\" , \"x\",y\r\n\"A\",\"1\", 2 \r\n\r\n,,\r\nB,3,4",
                           "code,x,note,y\nA,1,\"a, b\",2\nB,3,\"two\nlines\",4,\n",
                           "easting,northing,id\n1,2,A\n3,4,B\n"}) {
    expect_same(parse(text), comma);
  }
}

TEST(Csv, AFileOfAnotherFormatIsNotTakenForATable) {
  const Instance instance = parse(
      "COMMENT: rows are id,x,y\nTYPE: TSP\nDIMENSION: 1\nEDGE_WEIGHT_TYPE: EUC_2D\n"
      "NODE_COORD_SECTION\n1 2 3\nEOF\n");
  EXPECT_EQ(instance.comment, "rows are id,x,y");
}

TEST(Csv, DecimalCommasAreReadWhereNoPointSpeaksAgainstThem) {
  const Instance instance = parse("id;lat;lon\nA;48,85;2,35\nB;48;-2,5\n");
  EXPECT_EQ(instance.places[0].latitude, 48.85);
  EXPECT_EQ(instance.places[1].longitude, -2.5);
  EXPECT_EQ(parse("id,x,y\nA,\"1,5\",2\n").points[0].x, 1.5);
}

TEST(Csv, NumbersAsIdsAreLabelsAndRowsWithoutIdsAreCounted) {
  EXPECT_EQ(parse("id,x,y\n17,0,0\n3,1,1\n").labels, (Demands{17, 3}));
  EXPECT_EQ(parse("id,x,y\n007,0,0\n3,1,1\n").names, (Names{"007", "3"}));
  const Instance counted = parse("x,y\n0,0\n1,1\n");
  EXPECT_TRUE(counted.names.empty());
  EXPECT_TRUE(counted.labels.empty());
}

TEST(Csv, TheDepotIsTheRowThatIsAskedFor) {
  const std::string text = "id,x,y,demand\nA,1,1,0\nB,2,2,0\nDepot,3,3,0\n9,4,4,0\n";
  const auto first = [&](const std::string& depot) {
    const Instance instance = parse(text, orders(5, depot));
    EXPECT_EQ(instance.size(), 4U);
    return instance.names[0];
  };
  EXPECT_EQ(first(""), "Depot") << "called so";
  EXPECT_EQ(first("B"), "B") << "by id";
  EXPECT_EQ(first("9"), "9") << "an id before a row";
  EXPECT_EQ(first("1"), "A") << "by row";
  EXPECT_EQ(parse("id,x,y,demand\nA,1,1,\nB,2,2,1\n", orders(5)).names[0], "A") << "the first";
  EXPECT_EQ(parse("id,x,y\nA,1,1\nB,2,2\n",
                  [] {
                    ReadOptions options;
                    options.depot = "B";
                    return options;
                  }())
                .names[0],
            "B")
      << "where a tour begins";
}

TEST(Csv, TheDepotMayBeAPlaceOutsideTheTable) {
  const Instance plane = parse("id,x,y,demand\nA,1,1,2\ndepot_,0,0,1\n", orders(5, "7.5,-8"));
  EXPECT_EQ(plane.names, (Names{"depot", "A", "depot_"}));
  EXPECT_EQ(plane.points[0], (Point{7.5, -8}));
  const Instance degrees = parse("id,lon,lat,demand\nA,1,50,2\n", orders(5, "48.5, 7"));
  EXPECT_EQ(degrees.places[0].latitude, 48.5);
  EXPECT_EQ(degrees.places[0].longitude, 7);
}

TEST(Csv, ALimitOfVehiclesIsForProblemsWithADepot) {
  ReadOptions options = orders(5);
  options.vehicles = 3;
  EXPECT_EQ(parse("id,x,y,demand\nA,1,1,0\nB,2,2,2\n", options).vehicles, 3U);
  options.capacity.reset();
  EXPECT_EQ(message_of([&] { (void)parse("id,x,y\nA,1,1\n", options); }, ErrorKind::usage),
            "file: a number of vehicles is for problems with a depot");
}

TEST(Csv, OptionsAndTableHaveToFitTogether) {
  const auto complaint_of = [](const char* text, const ReadOptions& options) {
    return message_of([&] { (void)parse(text, options); }, ErrorKind::usage);
  };
  EXPECT_EQ(complaint_of("id,x,y,qty\nA,1,1,2\n", {}),
            "file: column 4 (qty) asks for vehicles; expected their capacity (--capacity Q)");
  EXPECT_EQ(complaint_of("id,x,y\nA,1,1\n", orders(5)),
            "file: a capacity, but the table has no column for the demand");
  EXPECT_EQ(
      complaint_of("id,x,y,demand\nA,1,1,2\n", orders(5, "Hub")),
      "file: --depot 'Hub': expected an id of the table, a row from 1 to 1 or coordinates X,Y");
  EXPECT_EQ(complaint_of("0 0 1 1\n", orders(5)),
            "file: a capacity and a depot are asked for tables (CSV); this file is tsp-lines");
}

class WrongCsv : public testing::TestWithParam<Wrong> {};

TEST_P(WrongCsv, IsRefusedWithLineAndColumn) {
  ReadOptions options;
  options.format = Format::csv;
  if (GetParam().text.find("demand") != std::string::npos) options.capacity = 10;
  EXPECT_EQ(message_of([&] { (void)parse(GetParam().text, options); }), GetParam().message);
}

std::vector<Wrong> wrong_csv() {
  const std::string header =
      "expected a first line with the names of the columns: id, then x and y or lat and lon, and "
      "demand where there are vehicles";
  return {
      {"Empty", "", "file: found an empty file, " + header},
      {"NoHeader", "1,2,3\n", "file:1: found numbers in the first line, " + header},
      {"NoCoordinates", "id,street,demand\nA,b,1\n",
       "file:1: found the columns 'id, street, demand', " + header},
      {"OnlyX", "id,x\nA,1\n", "file:1: found column 2 (x) alone, expected a column y beside it"},
      {"OnlyLongitude", "id,lng\nA,1\n",
       "file:1: found column 2 (lng) alone, expected a column lat beside it"},
      {"BothKinds", "x,y,lat,lon\n1,2,3,4\n",
       "file:1: found both x, y and lat, lon, expected one of them"},
      {"MeaningTwice", "id,lon,lng,lat\nA,1,1,1\n",
       "file:1: found column 2 (lon) and column 3 (lng), expected one column for the lng"},
      {"TimeWindow", "id,x,y,Due Time\nA,1,1,7\n",
       "file:1: column 4 (Due Time) asks for what is not supported; rename or remove it to plan "
       "without it"},
      {"NoRows", "id,x,y\n\n,,\n", "file: found no rows below the header, expected stops"},
      {"WordForANumber", "id,x,y\nA,1,1\nB,one,2\n",
       "file:3: found 'one' in column 2 (x), expected a number"},
      {"EmptyCoordinate", "id,x,y\nA,1,\n",
       "file:2: found an empty field in column 3 (y), expected a number"},
      {"ShortRow", "id,x,y\nA,1\n",
       "file:2: found an empty field in column 3 (y), expected a number"},
      {"LongRow", "id,x,y\nA,1,2,3\n", "file:2: found 4 fields, expected 3 as in the header"},
      {"NotANumber", "id,x,y\nA,nan,1\n", "file:2: found 'nan' in column 2 (x), expected a number"},
      {"TooLarge", "id,x,y\nA,1e200,1\n",
       "file:2: found '1e200' in column 2 (x), expected a number"},
      {"Thousands", "id;x;y\nA;1.234,5;1\n",
       "file:2: found '1.234,5' in column 2 (x), expected a number"},
      {"CommaAfterPoint", "id;x;y\nA;1.5;1\nB;2,5;1\n",
       "file:3: found '2,5' in column 2 (x), expected a decimal point, as in the numbers above"},
      {"PointAfterComma", "id;x;y\nA;1,5;1\nB;2.5;1\n",
       "file:3: found '2.5' in column 2 (x), expected a decimal comma, as in the numbers above"},
      {"Latitude", "id,lat,lon\nA,91,1\n",
       "file:2: found '91' in column 2 (lat), expected a latitude from -90 to 90 degrees"},
      {"Longitude", "id,lat,lon\nA,9,181\n",
       "file:2: found '181' in column 3 (lon), expected a longitude from -180 to 180 degrees"},
      {"EmptyId", "id,x,y\n,1,2\n",
       "file:2: found an empty field in column 1 (id), expected an id"},
      {"IdTwice", "id,x,y\nA,1,2\nB,1,2\nA,3,4\n",
       "file:4: found the id 'A' a second time in column 1 (id), expected every id once"},
      {"Latin1", "id,x,y\nCaf\xe9,1,2\n",
       "file:2: found 'Caf\\xe9' in column 1 (id), expected a table saved as UTF-8"},
      {"QuoteNeverClosed", "id,x,y\nA,1,2\n\"B,3,4\nC,5,6\n",
       "file:3: a quote in column 1 that is never closed"},
      {"TextBehindAQuote", "id,x,y\n\"A\"a,1,2\n",
       "file:2: found 'a' behind the quote of column 1, expected the separator ','"},
      {"DemandMissing", "id,x,y,demand\nA,1,2,\nB,1,2,\n",
       "file:3: found an empty field in column 4 (demand), expected a demand"},
      {"DemandFraction", "id,x,y,demand\nA,1,2,\nB,1,2,1.5\n",
       "file:3: found '1.5' in column 4 (demand), expected a whole number from 0 to 10000000000 "
       "(of "
       "smaller units, if need be)"},
      {"DemandNegative", "id,x,y,demand\nA,1,2,\nB,1,2,-1\n",
       "file:3: found '-1' in column 4 (demand), expected a whole number from 0 to 10000000000 (of "
       "smaller units, if need be)"},
      {"DemandAboveCapacity", "id,x,y,demand\nA,1,2,0\nB,1,2,11\n",
       "file:3: found demand 11 in column 4 (demand), expected 0 to the capacity 10"},
      {"DemandOfTheDepot", "id,x,y,demand\nA,1,2,3\nB,1,2,1\n",
       "file:2: found demand 3 at the depot 'A', expected none; --depot names another row"},
      {"OnlyADepot", "id,x,y,demand\nA,1,2,0\n",
       "file: a CVRP instance needs a depot and at least one customer"},
  };
}

INSTANTIATE_TEST_SUITE_P(Tables, WrongCsv, testing::ValuesIn(wrong_csv()), name_of);

}  // namespace
}  // namespace eco::io
