// The combining marks with which a placeholder says its row and column, in the order that the
// Kitty graphics protocol gives them: the n-th mark means n. The beginning of that list; a
// picture that would need more rows or columns is made smaller.

const CODES = [
  "305 30d 30e 310 312 33d 33e 33f 346 34a",
  "34b 34c 350 351 352 357 35b 363 364 365",
  "366 367 368 369 36a 36b 36c 36d 36e 36f",
  "483 484 485 486 487 592 593 594 595 597",
  "598 599 59c 59d 59e 59f 5a0 5a1 5a8 5a9",
  "5ab 5ac 5af 5c4 610 611 612 613 614 615",
  "616 617 657 658 659 65a 65b 65d 65e 6d6",
  "6d7 6d8 6d9 6da 6db 6dc 6df 6e0 6e1 6e2",
  "6e4 6e7 6e8 6eb 6ec 730 732 733 735 736",
  "73a 73d 73f 740 741 743 745 747 749 74a",
  "7eb 7ec 7ed 7ee 7ef 7f0 7f1 7f3 816 817",
  "818 819 81b 81c 81d 81e 81f 820 821 822",
  "823 825 826 827 829 82a 82b 82c 82d",
];

export const PLACEHOLDER_MARKS: readonly string[] = CODES.join(" ")
  .split(" ")
  .map((code) => String.fromCodePoint(parseInt(code, 16)));
