package io.carillon.fuzz.net;

import io.carillon.net.keepalive.Stun;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * A datagram that looks like STUN: a request gets an answer that is well formed and shows the right
 * address, an answer shows an address or none.
 */
public final class StunTarget {
    private static final InetSocketAddress FOUR = source("192.0.2.7");
    private static final InetSocketAddress SIX = source("2001:db8::7");

    private StunTarget() {}

    private static InetSocketAddress source(String literal) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), 40_000);
    }

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (!Stun.is(data) || !Stun.wellFormed(data)) {
            return;
        }
        if (Stun.isRequest(data)) {
            answered(data, FOUR);
            answered(data, SIX);
        }
        if (Stun.isAnswer(data)) {
            Stun.mapped(data);
        }
    }

    private static void answered(byte[] request, InetSocketAddress source) {
        byte[] answer = Stun.answer(request, source);
        if (!Stun.is(answer)
                || !Stun.wellFormed(answer)
                || !Stun.isAnswer(answer)
                || Stun.isRequest(answer)) {
            throw new IllegalStateException("the answer is no STUN");
        }
        // What is answered must not make us a means of attack on somebody else.
        if (answer.length > request.length + 44) {
            throw new IllegalStateException("an answer of " + answer.length + " bytes");
        }
        InetSocketAddress shown = Stun.mapped(answer);
        if (shown != null && !shown.equals(source)) {
            throw new IllegalStateException("shows " + shown);
        }
    }
}
