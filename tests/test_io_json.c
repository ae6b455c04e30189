/* The JSON reader: text that RFC 8259 allows is read exactly, everything else is refused with its place. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tt_scope scope;

static int open_scope(void **state)
{
    (void)state;
    tt_scope_open(&scope, NULL);
    return 0;
}

static int close_scope(void **state)
{
    (void)state;
    tt_scope_close(&scope);
    return 0;
}

/* Parses a copy without a 0 behind it, so that sanitizers see every read past the end. */
static const tio_json *parse_bytes(const void *text, size_t size, taut_error *error)
{
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    const tio_json *json = tio_json_parse(&scope, "t", copy, size, error);
    free(copy);
    return json;
}

static const tio_json *parse(const char *text)
{
    taut_error error;
    const tio_json *json = parse_bytes(text, strlen(text), &error);
    if (!json) fail_msg("%s: %s", text, error.text);
    return json;
}

/* ---- Refusals ---- */

static const struct {
    const char *text, *message;
} bad[] = {
    {"", "t:1:1: expected a value, got the end of the file"},
    {" \n\t ", "t:2:3: expected a value, got the end of the file"},
    {"[1,2", "t:1:5: expected ',' or ']', got the end of the file"},
    {"[1 2]", "t:1:4: expected ',' or ']', got '2'"},
    {"[1,]", "t:1:4: a comma must be followed by another item"},
    {"[,1]", "t:1:2: expected a value, got ','"},
    {"[", "t:1:2: expected a value, got the end of the file"},
    {"[1}", "t:1:3: expected ',' or ']', got '}'"},
    {"{", "t:1:2: expected a key in quotes, got the end of the file"},
    {"{]", "t:1:2: expected a key in quotes, got ']'"},
    {"{a:1}", "t:1:2: expected a key in quotes, got 'a'"},
    {"{1:1}", "t:1:2: expected a key in quotes, got '1'"},
    {"{\"a\"}", "t:1:5: expected ':', got '}'"},
    {"{\"a\" 1}", "t:1:6: expected ':', got '1'"},
    {"{\"a\":}", "t:1:6: expected a value, got '}'"},
    {"{\"a\":1,}", "t:1:8: a comma must be followed by another item"},
    {"{\"a\":1 \"b\":2}", "t:1:8: expected ',' or '}', got '\"'"},
    {"{\"a\":1,\n \"b\":2,\n \"a\":3}", "t:3:2: this key stands twice in one object"},
    {"{\"\":1,\"\":2}", "t:1:7: this key stands twice in one object"},
    {"{\"a\":1,\"\\u0061\":2}", "t:1:8: this key stands twice in one object"},
    {"{\"b\":1,\"a\":1,\"b\":1,\"a\":1,\"b\":1}", "t:1:14: this key stands twice in one object"},
    {"1 2", "t:1:3: expected the end of the file, got '2'"},
    {"{} x", "t:1:4: expected the end of the file, got 'x'"},
    {"[]]", "t:1:3: expected the end of the file, got ']'"},
    {"01", "t:1:2: a number must not begin with a superfluous 0"},
    {"-00", "t:1:3: a number must not begin with a superfluous 0"},
    {"+1", "t:1:1: expected a value, got '+'"},
    {"-", "t:1:2: expected a digit, got the end of the file"},
    {"-a", "t:1:2: expected a digit, got 'a'"},
    {".5", "t:1:1: expected a value, got '.'"},
    {"1.", "t:1:3: expected a digit, got the end of the file"},
    {"1.e5", "t:1:3: expected a digit, got 'e'"},
    {"1e", "t:1:3: expected a digit, got the end of the file"},
    {"1e+", "t:1:4: expected a digit, got the end of the file"},
    {"1e+-2", "t:1:4: expected a digit, got '-'"},
    {"0x10", "t:1:2: expected the end of the file, got 'x'"},
    {"1,5", "t:1:2: expected the end of the file, got ','"},
    {"[1e999]", "t:1:2: the number is too large"},
    {"-1e309", "t:1:1: the number is too large"},
    {"NaN", "t:1:1: expected a value, got 'N'"},
    {"Infinity", "t:1:1: expected a value, got 'I'"},
    {"True", "t:1:1: expected a value, got 'T'"},
    {"tru", "t:1:1: expected a value, got 't'"},
    {"truex", "t:1:5: expected the end of the file, got 'x'"},
    {"nul", "t:1:1: expected a value, got 'n'"},
    {"'a'", "t:1:1: expected a value, got '''"},
    {"// c\n1", "t:1:1: expected a value, got '/'"},
    {"\"abc", "t:1:1: the string does not end"},
    {"[1,\n \"abc", "t:2:2: the string does not end"},
    {"\"a\nb\"", "t:1:3: a control character in a string must be written as an escape such as \\n or \\u0009"},
    {"\"\t\"", "t:1:2: a control character in a string must be written as an escape such as \\n or \\u0009"},
    {"\"\\x\"", "t:1:3: a backslash must be followed by one of \" \\ / b f n r t u"},
    {"\"\\", "t:1:3: a backslash must be followed by one of \" \\ / b f n r t u"},
    {"\"\\u12\"", "t:1:6: \\u needs four hexadecimal digits"},
    {"\"\\u12g4\"", "t:1:6: \\u needs four hexadecimal digits"},
    {"\"\\u", "t:1:4: \\u needs four hexadecimal digits"},
    {"\"\\u0000\"", "t:1:8: \\u0000 is not allowed in a string"},
    {"\"\\udc00\"", "t:1:8: \\u escape is the second half of a pair without its first"},
    {"\"\\ud800\"", "t:1:8: \\u escape is the first half of a pair without its second"},
    {"\"\\ud800\\n\"", "t:1:9: \\u escape is the first half of a pair without its second"},
    {"\"\\ud800\\ud800\"", "t:1:14: \\u escape is the first half of a pair without its second"},
    {"\"\xff\"", "t:1:2: the text is not UTF-8"},
    {"\"\x80\"", "t:1:2: the text is not UTF-8"},
    {"\"\xc0\xaf\"", "t:1:2: the text is not UTF-8"},
    {"\"\xe0\x80\xaf\"", "t:1:2: the text is not UTF-8"},
    {"\"\xed\xa0\x80\"", "t:1:2: the text is not UTF-8"},
    {"\"\xf0\x80\x80\x80\"", "t:1:2: the text is not UTF-8"},
    {"\"\xf4\x90\x80\x80\"", "t:1:2: the text is not UTF-8"},
    {"\"\xf5\x80\x80\x80\"", "t:1:2: the text is not UTF-8"},
    {"\"\xc3\"", "t:1:2: the text is not UTF-8"},
    {"\"\xc3\xa4\xe2\x82\"", "t:1:3: the text is not UTF-8"},
    {"\xc3\xa4", "t:1:1: expected a value, got byte 0xc3"},
    {"[\f1]", "t:1:2: expected a value, got byte 0x0c"},
    {"{\"\xc3\xa4\": +}", "t:1:7: expected a value, got '+'"},
};

static void test_refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        taut_error error;
        if (parse_bytes(bad[i].text, strlen(bad[i].text), &error)) fail_msg("%s was accepted", bad[i].text);
        assert_string_equal(error.text, bad[i].message);
        assert_int_equal(error.code, TAUT_BAD_ARGUMENT);
    }
}

static void test_refuses_zero_bytes(void **state)
{
    (void)state;
    taut_error error;
    assert_null(parse_bytes("1\0", 2, &error));
    assert_string_equal(error.text, "t:1:2: expected the end of the file, got byte 0x00");
    assert_null(parse_bytes("\"a\0\"", 4, &error));
    assert_string_equal(error.text,
                        "t:1:3: a control character in a string must be written as an escape such as \\n or \\u0009");
    assert_null(parse_bytes("\"\\\0\"", 4, &error));
    assert_null(parse_bytes("\"\\u00\0a\"", 8, &error));
    assert_string_equal(error.text, "t:1:6: \\u needs four hexadecimal digits");
}

/* Every beginning of a good text is refused, and an error may be NULL. */
static void test_refuses_every_beginning(void **state)
{
    (void)state;
    const char *text = "{\"a\": [1.5e+3, true, \"\\ud83d\\ude00\xe2\x82\xac\", null], \"b\": {\"c\": -0}}";
    assert_non_null(parse(text));
    for (size_t n = 0; n < strlen(text); n++) assert_null(parse_bytes(text, n, NULL));
}

/* ---- Limits ---- */

static void test_depth(void **state)
{
    (void)state;
    char text[2 * TIO_JSON_DEPTH + 8];
    taut_error error;
    memset(text, '[', TIO_JSON_DEPTH);
    memset(text + TIO_JSON_DEPTH, ']', TIO_JSON_DEPTH);
    assert_non_null(parse_bytes(text, 2 * TIO_JSON_DEPTH, &error));
    memset(text, '[', TIO_JSON_DEPTH + 1);
    assert_null(parse_bytes(text, TIO_JSON_DEPTH + 1, &error));
    assert_string_equal(error.text, "t:1:65: nested deeper than 64 levels");
    /* Depth counts the lists and objects that are open at once, not all of them. */
    assert_int_equal(parse("[[],[],[{}],[[]]]")->count, 4);
}

static void test_size(void **state)
{
    (void)state;
    taut_error error;
    char *text = malloc(TIO_JSON_SIZE + 1);
    assert_non_null(text);
    memset(text, ' ', TIO_JSON_SIZE + 1);
    text[0] = '7';
    const tio_json *json = tio_json_parse(&scope, "t", text, TIO_JSON_SIZE, &error);
    assert_non_null(json);
    assert_true(json->number == 7);
    assert_null(tio_json_parse(&scope, "t", text, TIO_JSON_SIZE + 1, &error));
    assert_string_equal(error.text, "t:1:1: the file has 16777217 bytes, more than 16777216");
    free(text);
}

static void test_long_numbers(void **state)
{
    (void)state;
    char text[300];
    taut_error error;
    memset(text, '3', sizeof text);
    text[1] = '.';
    const tio_json *json = tio_json_parse(&scope, "t", text, 255, &error);
    assert_non_null(json);
    assert_true(json->number == 10.0 / 3);
    assert_null(tio_json_parse(&scope, "t", text, 256, &error));
    assert_string_equal(error.text, "t:1:1: the number has more than 255 characters");
    memset(text, '0', sizeof text); /* the point stands far to the right */
    text[0] = '1';
    memcpy(text + 247, ".0e-246", 8);
    assert_true(parse(text)->number == 1);
}

/* A large object costs no more than sorting its keys. */
static void test_many_keys(void **state)
{
    (void)state;
    enum { KEYS = 200000, ROOM = 16 * KEYS };
    char *text = malloc(ROOM);
    assert_non_null(text);
    size_t n = 0;
    taut_error error;
    for (int i = 0; i < KEYS; i++) n += (size_t)snprintf(text + n, ROOM - n, "%c\"%d\":%d", i ? ',' : '{', i, i);
    text[n++] = '}';
    const tio_json *json = tio_json_parse(&scope, "t", text, n, &error);
    assert_non_null(json);
    assert_int_equal(json->count, KEYS);
    assert_true(tio_json_member(json, "199999")->number == 199999);
    memcpy(text + n - 1, ",\"5\":0}", 7);
    assert_null(tio_json_parse(&scope, "t", text, n + 6, &error));
    assert_non_null(strstr(error.text, "this key stands twice in one object"));
    free(text);
}

/* ---- Values ---- */

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {
        {"0", 0}, {"-0", -0.0}, {"7", 7}, {"-12", -12}, {"1.5", 1.5}, {"0.1", 0.1}, {"1e3", 1000}, {"1E+3", 1000},
        {"25e-2", 0.25}, {"0e99999", 0}, {"1e-400", 0}, {"1.7976931348623157e308", 0x1.fffffffffffffp1023},
        {"5e-324", 0x1p-1074}, {"9007199254740993", 9007199254740992}, {"2.2250738585072012e-308", 0x1p-1022},
        {"123456789012345678901234567890", 123456789012345678901234567890.0}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const tio_json *json = parse(good[i].text);
        assert_int_equal(json->type, TIO_JSON_NUMBER);
        assert_true(json->number == good[i].value && signbit(json->number) == signbit(good[i].value));
    }
}

static void test_strings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *value;
    } good[] = {
        {"\"\"", ""}, {"\"abc\"", "abc"}, {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
        {"\"\\u0041\\u00e4\\u20AC\"", "A\xc3\xa4\xe2\x82\xac"}, {"\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80"},
        {"\"\\ud800\\udc00\\udbff\\udfff\"", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"},
        {"\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"\"\\u007f\x7f\\u0001\"", "\x7f\x7f\x01"}, {"\"\xef\xbf\xbf\"", "\xef\xbf\xbf"}, {"\"//\"", "//"}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const tio_json *json = parse(good[i].text);
        assert_int_equal(json->type, TIO_JSON_STRING);
        assert_string_equal(json->string, good[i].value);
        assert_int_equal(json->count, strlen(good[i].value));
    }
}

static void test_words_and_mark(void **state)
{
    (void)state;
    assert_true(parse("true")->boolean);
    assert_int_equal(parse("true")->type, TIO_JSON_BOOL);
    assert_false(parse("false")->boolean);
    assert_int_equal(parse("null")->type, TIO_JSON_NULL);
    const tio_json *marked = parse("\xef\xbb\xbf [1]");
    assert_int_equal(marked->column, 2);
}

static void test_places(void **state)
{
    (void)state;
    const tio_json *json = parse("{\r\n  \"\xc3\xa4\xe2\x82\xac\": [10,\n\t20 , {}],\n\"z\":\n  null}");
    assert_int_equal(json->count, 2);
    const tio_json *list = tio_json_member(json, "\xc3\xa4\xe2\x82\xac"), *last = tio_json_member(json, "z");
    assert_non_null(list);
    assert_int_equal(list->key_line, 2);
    assert_int_equal(list->key_column, 3);
    assert_int_equal(list->line, 2);
    assert_int_equal(list->column, 9); /* in characters */
    assert_int_equal(list->count, 3);
    assert_ptr_equal(list->parent, json);
    const tio_json *twenty = tio_json_item(list, 1);
    assert_true(twenty->number == 20);
    assert_int_equal(twenty->line, 3);
    assert_int_equal(twenty->column, 2);
    assert_null(twenty->key);
    assert_null(tio_json_item(list, 3));
    assert_null(tio_json_item(list, -1));
    assert_null(tio_json_item(json, 0));
    assert_null(tio_json_member(list, "z"));
    assert_null(tio_json_member(json, "y"));
    assert_int_equal(last->line, 5);
    assert_int_equal(last->column, 3);
    assert_null(json->parent);
}

/* The message shows the end of a long name, and stays readable. */
static void test_long_names(void **state)
{
    (void)state;
    char name[400];
    taut_error error;
    for (int i = 0; i < 399; i++) name[i] = (char)('a' + i % 26);
    name[399] = 0;
    assert_null(tio_json_parse(&scope, name, "x", 1, &error));
    assert_memory_equal(error.text, "...", 3);
    assert_memory_equal(error.text + 3, name + 399 - 96, 96);
    assert_string_equal(error.text + 99, ":1:1: expected a value, got 'x'");
}

/* ---- Memory that runs out ---- */

typedef struct rationed {
    int left, live;
} rationed;

static void *ration(size_t size, size_t alignment, void *user)
{
    rationed *r = user;
    if (r->left-- <= 0) return NULL;
    r->live++;
    return aligned_alloc(alignment, size);
}

static void give_back(void *memory, void *user)
{
    ((rationed *)user)->live -= memory != NULL;
    free(memory);
}

static void test_no_memory(void **state)
{
    (void)state;
    enum { SIZE = 400000 };
    char *text = malloc(SIZE);
    assert_non_null(text);
    size_t n = 0;
    for (int i = 0; n < SIZE - 100; i++)
        n += (size_t)snprintf(text + n, SIZE - n, "%c\"key%d\":[\"%d\",{}]", i ? ',' : '{', i, i);
    text[n++] = '}';
    bool done = false;
    int allocations = 0;
    for (; !done; allocations++) {
        rationed r = {.left = allocations};
        taut_allocator allocator = {ration, give_back, &r};
        tt_scope small;
        taut_error error;
        tt_scope_open(&small, &allocator);
        done = tio_json_parse(&small, "t", text, n, &error) != NULL;
        assert_int_equal(error.code, done ? TAUT_OK : TAUT_NO_MEMORY);
        tt_scope_close(&small);
        assert_int_equal(r.live, 0);
    }
    assert_true(allocations > 10);
    free(text);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_scope, close_scope)
    const struct CMUnitTest tests[] = {
        TEST(test_refuses), TEST(test_refuses_zero_bytes), TEST(test_refuses_every_beginning), TEST(test_depth),
        TEST(test_size), TEST(test_long_numbers), TEST(test_many_keys), TEST(test_numbers), TEST(test_strings),
        TEST(test_words_and_mark), TEST(test_places), TEST(test_long_names), TEST(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
