package io.carillon.cluster.simulation;

/** What a simulated cluster is made of. Members are numbered from 0; the first ones vote. */
enum Shape {
    THREE(3, 3, -1),
    FIVE(5, 5, -1),
    TWO_AND_WITNESS(3, 3, 2),
    FIVE_OF_WHOM_THREE_VOTE(5, 3, -1);

    final int members;
    final int voters;
    final int witness;

    Shape(int members, int voters, int witness) {
        this.members = members;
        this.voters = voters;
        this.witness = witness;
    }

    int[] voterNumbers() {
        int[] numbers = new int[voters];
        for (int i = 0; i < voters; i++) {
            numbers[i] = i;
        }
        return numbers;
    }
}
