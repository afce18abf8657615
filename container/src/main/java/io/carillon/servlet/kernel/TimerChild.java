package io.carillon.servlet.kernel;

import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.sip.bytes.StateWriter;
import javax.servlet.sip.ServletTimer;

/** A timer as its application session knows it. With the turn held. */
public interface TimerChild extends ServletTimer {
    /** Its number among the children of the application session. */
    int ordinal();

    /** When it fires next, by the wall clock. */
    long dueAtMillis();

    /** The application session ends. */
    void sessionEnded();

    /** For {@link SessionHooks#readTimer}. */
    void write(StateWriter out, AttributeCodec codec);
}
