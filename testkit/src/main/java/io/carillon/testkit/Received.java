package io.carillon.testkit;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * A message that a {@link ScriptedPeer} got.
 *
 * @param atNanos virtual time
 */
public record Received(long atNanos, InetSocketAddress from, SipMessage message) {
    /** The method, or the status. */
    public String start() {
        return switch (message) {
            case SipRequest request -> request.method();
            case SipResponse response -> Integer.toString(response.status());
        };
    }

    public SipRequest request() {
        if (message instanceof SipRequest request) {
            return request;
        }
        throw new AssertionError("a request was expected, this is " + start());
    }

    public SipResponse response() {
        if (message instanceof SipResponse response) {
            return response;
        }
        throw new AssertionError("a response was expected, this is " + start());
    }

    /**
     * The elements of a header, joined by commas; empty without it. {@code Request-URI} is one too.
     */
    public String header(String name) {
        if (name.equals("Request-URI")) {
            return request().requestUri().toString();
        }
        List<String> values = message.headers(HeaderName.of(name));
        return String.join(", ", values);
    }

    @Override
    public String toString() {
        return start() + " " + message.cseq();
    }
}
