package io.carillon.sip.edge;

/** How the elements of list headers are printed (RFC 3261 section 7.3.1). */
public enum ListForm {
    /** As they are. */
    AS_IS,
    /** One line for each header, its elements parted by commas. */
    JOINED,
    /** One line for each element. */
    SEPARATE
}
