/* learn/packed.h — numbers of a moment in fewer bytes, and back with the same bits.
 *
 * The 23 bits behind the point of a number that was learned are as good as random and stay as they
 * are. Its sign and its exponent are one of few: each gets a code whose length follows from how
 * often it occurs (Huffman, A method for the construction of minimum-redundancy codes, 1952). Every
 * pattern of bits comes back, of infinities and of what is no number too. What is packed is for
 * this machine's memory alone: it begins with the lengths of the codes, in words of its own order.
 */
#ifndef LEARN_PACKED_H
#define LEARN_PACKED_H

#include <stddef.h>
#include <stdint.h>

/* Words that so many numbers may take at most. */
size_t learn_packed_most(size_t count);

/* words [learn_packed_most]: how many of them hold the numbers then. */
size_t learn_pack(const float *values, size_t count, uint32_t *words);

/* values [count], of what learn_pack made of as many. */
void learn_unpack(const uint32_t *words, size_t count, float *values);

#endif
