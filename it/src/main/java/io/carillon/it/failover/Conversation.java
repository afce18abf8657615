package io.carillon.it.failover;

/** What phones have with the cluster: a call, or a subscription. One thread. */
interface Conversation {
    /** The user of its From. */
    String name();

    Kind kind();

    /** Have all ends heard of its end, or is it lost? */
    boolean over();

    /** The node goes now; what it does from now on begins after so long. */
    void nodeGoes(long afterNanos);

    /** The phone that is called gets its INVITE. */
    void invited(SipText invite);

    /** A request within it reaches one of its ends. */
    void requested(boolean atCaller, SipText request);

    /** A response is repeated until its ACK comes; another takes its place. */
    void repeating(Wire.Timer timer);

    /** It went wrong; what was first counts. */
    void fault(String what);

    /** A message that a node has sent in its name. */
    void heardFrom(String node);

    CallFacts facts();
}
