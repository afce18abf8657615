package io.carillon.servlet.header;

import javax.servlet.sip.Parameterable;
import org.jspecify.annotations.Nullable;

/** One element of a header that is handed to applications as an object. */
public sealed interface LiveElement extends Parameterable
        permits ServletAddress, ServletParameterable {
    /** The value as it stands on the wire. */
    String print();

    /** A copy that belongs to another header; tags included. */
    LiveElement copyFor(Rights rights, @Nullable Owner owner);
}
