/* Chat templates are known by the marks they write: what stands around a message is what the
 * template would write around it (chat.py compares ids with transformers, which runs them). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/chat.h"

static const struct {
    const char *template, *begin, *text, *wanted; /* wanted NULL: no known form */
} cases[] = {
    {"{% for m in messages %}{{'<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>' + "
     "'\\n'}}{% endfor %}",
     "<s>", " Hi ", "<|im_start|>user\n Hi <|im_end|>\n<|im_start|>assistant\n"},
    {"{{ '<|im_start|>system\\n' + x }}{{ '<|im_start|>system\\nBe kind.<|im_end|>\\n' }}"
     "{{'<|im_start|>' + m['role']}}",
     NULL, "Hi",
     "<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n"
     "<|im_start|>assistant\n"},
    {"{{ '<|im_start|>system\nBe kind.<|im_end|>\n' }}{{'<|im_start|>' + m['role']}}", NULL, "Hi",
     "<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n"
     "<|im_start|>assistant\n"},
    {"{{ bos_token }}{{ '<|start_header_id|>' + role + '<|end_header_id|>\\n\\n' + content | trim "
     "+ "
     "'<|eot_id|>' }}",
     "<|begin_of_text|>", " Hi\n",
     "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>"
     "<|start_header_id|>assistant<|end_header_id|>\n\n"},
    {"{{ '<bos>' }}{{ '<start_of_turn>' + role + '\\n' + content | trim + '<end_of_turn>\\n' }}",
     NULL, "Hi", "<bos><start_of_turn>user\nHi<end_of_turn>\n<start_of_turn>model\n"},
    {"{{ bos_token }}{{ '[INST] ' + content + ' [/INST]' }}", "<s>", "Hi", "<s>[INST] Hi [/INST]"},
    {"{{ bos_token }}{{ '[INST] ' + content + '[/INST]' }}", "<s>", "Hi", "<s>[INST] Hi[/INST]"},
    {"{{ bos_token }}{{ '[INST]' + content + '[/INST]' }}", "<s>", "Hi", "<s>[INST]Hi[/INST]"},
    {"{{'<|user|>' + '\\n' + content + '<|end|>' + '\\n' + '<|assistant|>' + '\\n'}}", "<s>", "Hi",
     "<|user|>\nHi<|end|>\n<|assistant|>\n"},
    {"{{ '<|' + role + '|>' + content + '<|end|>' }}{{ '<|assistant|>' }}", NULL, "Hi",
     "<|user|>Hi<|end|><|assistant|>"},
    {"{{ '<|im_start|>user<|im_sep|>' + content + '<|im_end|>' }}", NULL, "Hi",
     "<|im_start|>user<|im_sep|>Hi<|im_end|><|im_start|>assistant<|im_sep|>"},
    {"{{ '<|start|>user<|message|>' + content + '<|end|>' }}<|channel|>\\n", NULL, "Hi",
     "<|start|>user<|message|>Hi<|end|><|start|>assistant"},
    {"### Instruction: {{ content }}", NULL, "Hi", NULL},
    {"", NULL, "Hi", NULL},
};

static struct bytes bytes_of(const char *text)
{
    return (struct bytes){(const uint8_t *)text, strlen(text)};
}

static void messages_are_written_as_the_template_does(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct arena arena = {0};
        struct model_chat chat;
        struct bytes out = {NULL, 0};
        assert_true(model_chat_read(bytes_of(cases[c].template), cases[c].begin, &arena, &chat));
        assert_true(chat.is_template == (cases[c].template[0] != '\0'));
        assert_true((chat.form == NULL) == (cases[c].wanted == NULL));
        if (chat.form != NULL) {
            assert_true(model_chat_apply(&chat, bytes_of(cases[c].text), &arena, &out, NULL));
            assert_int_equal(out.size, strlen(cases[c].wanted));
            assert_memory_equal(out.at, cases[c].wanted, out.size);
        }
        arena_free(&arena);
    }
}

/* Published folders write model_max_length as 10^30, which no whole number of 64 bits holds, and
 * templates are longer than other texts. */
static void a_template_is_found_in_a_published_configuration(void **state)
{
    (void)state;
    char folder[] = "chat-XXXXXX", path[64];
    struct arena arena = {0};
    struct model_chat chat;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/tokenizer_config.json", folder);
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "{\"model_max_length\": 1000000000000000019884624838656, \"bos_token\": {\"content\": "
            "\"<s>\"}, \"chat_template\": \"{{ bos_token }}[INST] %020000d [/INST]\"}",
            0);
    assert_int_equal(fclose(file), 0);
    struct file_handle *const handle = file_handle_open(folder);
    const bool read = model_chat_of_folder(handle, &arena, &chat);
    file_handle_release(handle);
    (void)unlink(path);
    (void)rmdir(folder);
    assert_true(read);
    assert_string_equal(chat.form, "mistral");
    assert_string_equal(chat.before, "<s>[INST] ");
    arena_free(&arena);
}

/* Older folders name the token that begins a sequence beside tokenizer_config.json. */
static void the_first_token_may_be_named_in_special_tokens_map(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
    } files[] = {
        {"tokenizer_config.json", "{\"chat_template\": \"{{ bos_token }}[INST] x [/INST]\"}"},
        {"special_tokens_map.json", "{\"bos_token\": {\"content\": \"<begin>\"}}"}};
    char folder[] = "chat-XXXXXX", path[2][64];
    struct arena arena = {0};
    struct model_chat chat;
    assert_non_null(mkdtemp(folder));
    for (size_t f = 0; f < 2; f++) {
        snprintf(path[f], sizeof path[f], "%s/%s", folder, files[f].name);
        FILE *const file = fopen(path[f], "w");
        assert_non_null(file);
        assert_true(fputs(files[f].text, file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
    struct file_handle *const handle = file_handle_open(folder);
    const bool read = model_chat_of_folder(handle, &arena, &chat);
    file_handle_release(handle);
    (void)unlink(path[0]);
    (void)unlink(path[1]);
    (void)rmdir(folder);
    assert_true(read);
    assert_string_equal(chat.before, "<begin>[INST] ");
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_written_as_the_template_does),
        cmocka_unit_test(the_first_token_may_be_named_in_special_tokens_map),
        cmocka_unit_test(a_template_is_found_in_a_published_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
