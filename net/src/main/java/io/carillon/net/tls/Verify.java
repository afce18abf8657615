package io.carillon.net.tls;

/** How far the certificate of a server that we connect to is checked. */
public enum Verify {
    /** The chain (RFC 5280), and that it is made out to the domain we wanted (RFC 5922 7.3). */
    FULL,
    /** The chain alone: anybody whom the trust store knows may answer for anybody else. */
    CHAIN,
    /** Nothing, for targets on a loopback address; every other one is checked as with FULL. */
    NONE
}
