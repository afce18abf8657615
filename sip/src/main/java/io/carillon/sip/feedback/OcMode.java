package io.carillon.sip.feedback;

/** What is agreed with a peer about overload control. */
public enum OcMode {
    /** Nothing: no parameter is put, none is read. */
    OFF,

    /** RFC 7339: by what share of its requests a client sends less. */
    LOSS,

    /** RFC 7415 where the peer has it too: how many requests a client sends each second. */
    RATE
}
