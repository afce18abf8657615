package io.carillon.examples.clicktocall;

/** The two phones: A is called first. */
enum Leg {
    A,
    B;

    Leg other() {
        return this == A ? B : A;
    }
}
