package protobuf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/protobuf"
)

const sample = `// The API.
syntax = "proto3";
package acme.v1;
import "x.proto";
option go_package = "a/b"; option java_multiple_files = true;
option deprecated = true;
message Order {
  reserved 2, 4 to 6; reserved "old", 'older';
  repeated int32 ids = 0x10 [packed = true, deprecated = true, json_name = "IDs"]; /* ids */
  map<string, .acme.v1.Item> item_list = 3 [json_name = "itemList"];
  oneof choice { string a = 7; Item b = 8; }
  message Inner { optional bool x = 1; }
  enum Kind { option allow_alias = true; NONE = 0; LOW = -1; }
  extensions 100 to max;
}
extend google.protobuf.FieldOptions { string note = 5000; }
service Orders {
  rpc Get(stream Order) returns (Item) { option idempotency_level = NO_SIDE_EFFECTS; option (google.api.http) = { get: "/v1" }; }
  rpc List(other.Order) returns (stream Item);
}
`

func TestSymbols(t *testing.T) {
	symbols, err := protobuf.Language.Read(t.Context(), "a.proto", sample)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, s := range symbols {
		fmt.Fprintf(&got, "%d-%d:%d %s %s: %s\n", s.Line, s.EndLine, s.Column, s.Kind, s.Name, s.Signature)
	}
	want := `2-2:1 syntax syntax: proto3
3-3:9 package package: acme.v1 [ go_package = "a/b" ] [ java_multiple_files = true ]
7-15:9 message Order: 
8-8:12 reserved Order.reserved 2: 
8-8:15 reserved Order.reserved 4 to 6: 
8-8:32 reserved Order.reserved old: 
8-8:39 reserved Order.reserved older: 
9-9:18 field Order.ids: repeated int32 = 16 [ json_name = "IDs" ] [ packed = true ]
10-10:30 field Order.item_list: map < string , Item > = 3
11-11:9 oneof Order.choice: 
11-11:25 field Order.a: string = 7 oneof choice
11-11:37 field Order.b: Item = 8 oneof choice
12-12:11 message Order.Inner: 
12-12:33 field Order.Inner.x: optional bool = 1
13-13:8 enum Order.Kind: 
13-13:42 enum value Order.Kind.NONE: = 0
13-13:52 enum value Order.Kind.LOW: = -1
14-14:14 extensions Order.extensions 100 to max: 
16-16:46 extension note: string = 5000 of google.protobuf.FieldOptions
17-20:9 service Orders: 
18-18:7 rpc Orders.Get: ( stream Order ) returns ( Item ) [ ( google.api.http ) = { get : "/v1" } ] [ idempotency_level = NO_SIDE_EFFECTS ]
19-19:7 rpc Orders.List: ( other.Order ) returns ( stream Item )
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
