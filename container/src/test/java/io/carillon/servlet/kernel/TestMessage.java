package io.carillon.servlet.kernel;

import io.carillon.servlet.app.MailBodies;
import io.carillon.sip.header.CSeq;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.uri.Uri;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipSession;

/** The smallest message on {@link ServletMessage}: no session, committed by a field. */
final class TestMessage extends ServletMessage {
    boolean committed;
    Hop hop;

    TestMessage(SipMessage message) {
        super(message);
    }

    TestMessage(MessageDraft draft) {
        super(draft);
    }

    /**
     * A received request with the given header lines ({@code Name: value}) behind the mandatory
     * ones.
     */
    static TestMessage request(String method, String... headers) {
        return new TestMessage(with(draft(method), headers).freeze());
    }

    /** A received response to a request of that method. */
    static TestMessage response(int status, String method, String... headers) {
        MessageDraft draft = MessageDraft.response(status, null);
        mandatory(draft, method);
        return new TestMessage(with(draft, headers).freeze());
    }

    static MessageDraft draft(String method) {
        try {
            MessageDraft draft = MessageDraft.request(method, Uri.parse("sip:bob@example.com"));
            mandatory(draft, method);
            return draft.set(HeaderName.MAX_FORWARDS, "70");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void mandatory(MessageDraft draft, String method) {
        draft.addLast(HeaderName.VIA, "SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK1")
                .addLast(HeaderName.FROM, "\"Alice\" <sip:alice@example.org>;tag=a1")
                .addLast(HeaderName.TO, "<sip:bob@example.com>")
                .addLast(HeaderName.CALL_ID, "call-1")
                .addLast(HeaderName.CSEQ, new CSeq(1, method).toString());
    }

    private static MessageDraft with(MessageDraft draft, String... headers) {
        for (String header : headers) {
            int colon = header.indexOf(':');
            draft.addLast(
                    HeaderName.of(header.substring(0, colon)), header.substring(colon + 1).strip());
        }
        return draft;
    }

    @Override
    protected Hop receivedFrom() {
        return hop;
    }

    @Override
    MailBodies mailBodies() {
        return null;
    }

    @Override
    protected int statusOrZero() {
        return draftOrNull() != null
                ? draftOrNull().status()
                : below() instanceof SipResponse response ? response.status() : 0;
    }

    @Override
    public String getMethod() {
        return draftOrNull() != null ? draftOrNull().method() : below().cseq().method();
    }

    @Override
    public boolean isCommitted() {
        return committed;
    }

    @Override
    public SipApplicationSession getApplicationSession() {
        throw new UnsupportedOperationException();
    }

    @Override
    public SipApplicationSession getApplicationSession(boolean create) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SipSession getSession() {
        throw new UnsupportedOperationException();
    }

    @Override
    public SipSession getSession(boolean create) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void send() {
        committed = true;
    }
}
