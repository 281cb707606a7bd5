/* around.h: n things in a circle, for Promela models whose variables have numbers in their names (P0, P1, ...), because
 * Spin packs such variables bit by bit, but not arrays.
 *
 *     AROUND(f)    f(n-1, 0, 1) f(0, 1, 2) f(1, 2, 3) ... f(n-2, n-1, 0): each thing and its neighbours; 3 <= n <= 15
 */
#define INSIDE_3(f) f(0, 1, 2)
#define INSIDE_4(f) INSIDE_3(f) f(1, 2, 3)
#define INSIDE_5(f) INSIDE_4(f) f(2, 3, 4)
#define INSIDE_6(f) INSIDE_5(f) f(3, 4, 5)
#define INSIDE_7(f) INSIDE_6(f) f(4, 5, 6)
#define INSIDE_8(f) INSIDE_7(f) f(5, 6, 7)
#define INSIDE_9(f) INSIDE_8(f) f(6, 7, 8)
#define INSIDE_10(f) INSIDE_9(f) f(7, 8, 9)
#define INSIDE_11(f) INSIDE_10(f) f(8, 9, 10)
#define INSIDE_12(f) INSIDE_11(f) f(9, 10, 11)
#define INSIDE_13(f) INSIDE_12(f) f(10, 11, 12)
#define INSIDE_14(f) INSIDE_13(f) f(11, 12, 13)
#define INSIDE_15(f) INSIDE_14(f) f(12, 13, 14)
#define AROUND_3(f) f(2, 0, 1) INSIDE_3(f) f(1, 2, 0)
#define AROUND_4(f) f(3, 0, 1) INSIDE_4(f) f(2, 3, 0)
#define AROUND_5(f) f(4, 0, 1) INSIDE_5(f) f(3, 4, 0)
#define AROUND_6(f) f(5, 0, 1) INSIDE_6(f) f(4, 5, 0)
#define AROUND_7(f) f(6, 0, 1) INSIDE_7(f) f(5, 6, 0)
#define AROUND_8(f) f(7, 0, 1) INSIDE_8(f) f(6, 7, 0)
#define AROUND_9(f) f(8, 0, 1) INSIDE_9(f) f(7, 8, 0)
#define AROUND_10(f) f(9, 0, 1) INSIDE_10(f) f(8, 9, 0)
#define AROUND_11(f) f(10, 0, 1) INSIDE_11(f) f(9, 10, 0)
#define AROUND_12(f) f(11, 0, 1) INSIDE_12(f) f(10, 11, 0)
#define AROUND_13(f) f(12, 0, 1) INSIDE_13(f) f(11, 12, 0)
#define AROUND_14(f) f(13, 0, 1) INSIDE_14(f) f(12, 13, 0)
#define AROUND_15(f) f(14, 0, 1) INSIDE_15(f) f(13, 14, 0)
#define PASTE(a, b) a##b
#define AROUND_OF(length, f) PASTE(AROUND_, length)(f)
#define AROUND(f) AROUND_OF(n, f)
