/* tests/attn/example.c — the core as a library: three tokens look at each other.
 *     cc example.c $(pkg-config --cflags --libs attn) && ./a.out */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <attn/attn.h>

int main(void)
{
    /* cat, dog, lion: they are queries, keys and values at once. */
    const float x[3][3] = {{-2.5F, 1, 0}, {-2.7F, 0.5F, -0.2F}, {0, 5, -1}};
    float weights[3][3], z[3][3];
    const struct attn_operand tokens = {x[0], 3, 3, 3};
    const struct attn_head head = {
        .q = tokens,
        .k = tokens,
        .v = tokens,
        .factor = 1 / sqrtf(3),
        .z = {z[0], 3, 3, 3},
        .weights = {weights[0], 3, 3, 3},
    };
    const struct attn_kernels *const kernels = attn_kernels_choose(NULL);
    const char *const why = attn_head_error(&head);
    if (why != NULL) {
        fprintf(stderr, "%s\n", why);
        return 1;
    }
    void *const scratch =
        aligned_alloc(64, (attn_fused_bytes(kernels, &head, 1, 1) + 63) / 64 * 64);
    if (scratch == NULL) {
        return 1;
    }
    attn_fused(kernels, NULL, &head, 1, scratch);
    free(scratch);
    for (size_t i = 0; i < 3; i++) {
        printf("weights %.6f %.6f %.6f   output %9.6f %9.6f %9.6f\n", (double)weights[i][0],
               (double)weights[i][1], (double)weights[i][2], (double)z[i][0], (double)z[i][1],
               (double)z[i][2]);
    }
    return fabsf(weights[0][0] - 0.439987F) < 1e-6F && fabsf(z[2][1] - 4.999972F) < 1e-5F ? 0 : 1;
}
