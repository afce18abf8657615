package io.carillon.servlet.members;

import java.util.Locale;

/** What is done to a member, one thing at a time. */
enum Change {
    /** A body that does something does nothing and returns the default of its type. */
    EMPTIED,
    /** What answers yes or no, by a body that looks, always says yes. */
    ALWAYS_TRUE,
    /** A body returns another text or number; one that only returns null, another object. */
    ANOTHER_VALUE,
    /** A constructor sees null, 0 or false in place of its arguments. */
    WITHOUT_ARGUMENTS,
    /** The container makes no calls of what an application implements. */
    UNCALLED,
    /** The container does not read an element of an annotation. */
    UNREAD,
    /** What does nothing at all, and has no other value to return: it throws. */
    THROWS;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
