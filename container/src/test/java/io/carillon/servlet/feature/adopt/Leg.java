package io.carillon.servlet.feature.adopt;

import io.carillon.servlet.harness.RawPeer;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One end of a dialog as a peer has it: it sends requests in it, and answers those of the server.
 */
final class Leg {
    private final RawPeer peer;
    private final String local;
    private final String remote;
    private final String callId;
    private final String tag;
    private final List<String> routes = new ArrayList<>();
    private final String target;
    private int cseq;

    /** CSeq of the last request that came. */
    private long heard;

    private Leg(
            RawPeer peer,
            String local,
            String remote,
            String callId,
            String tag,
            String target,
            List<NameAddress> routes,
            int cseq,
            long heard) {
        this.peer = peer;
        this.local = local;
        this.remote = remote;
        this.callId = callId;
        this.tag = tag;
        this.target = target;
        routes.forEach(route -> this.routes.add("Route: " + route));
        this.cseq = cseq;
        this.heard = heard;
    }

    /** Of who called and got that response. */
    static Leg caller(RawPeer peer, SipResponse ok) {
        return new Leg(
                peer,
                ok.from().toString(),
                ok.to().toString(),
                ok.callId(),
                Objects.requireNonNull(ok.fromTag()),
                Objects.requireNonNull(ok.contact()).uri().toString(),
                ok.recordRoutes().reversed(),
                (int) ok.cseqNumber(),
                0);
    }

    /** Of who was called by that request, and has answered with that tag. */
    static Leg callee(RawPeer peer, SipRequest invite, String tag) {
        return new Leg(
                peer,
                invite.to().toString() + ";tag=" + tag,
                invite.from().toString(),
                invite.callId(),
                tag,
                Objects.requireNonNull(invite.contact()).uri().toString(),
                invite.recordRoutes(),
                100,
                invite.cseqNumber());
    }

    /** The other end, with its tag. */
    String remote() {
        return remote;
    }

    String contact() {
        return "Contact: <sip:" + peer.hostPort() + ">";
    }

    private void send(String method, int number, String... headers) {
        List<String> all = new ArrayList<>(routes);
        all.addAll(List.of(headers));
        all.add(contact());
        peer.request(
                method + ' ' + target, local, remote, callId, number, all.toArray(String[]::new));
    }

    void send(String method, String... headers) {
        send(method, ++cseq, headers);
    }

    void ack() {
        send("ACK", cseq);
    }

    /** A re-INVITE that is answered with 200. */
    void reinvite() {
        send("INVITE");
        peer.response(200);
        ack();
    }

    void bye() {
        send("BYE");
        peer.response(200);
    }

    /** The next request of the server, in this dialog. */
    SipRequest comes(String method) {
        SipRequest came = peer.request(method);
        if (!came.callId().equals(callId) || !tag.equals(came.toTag())) {
            throw new AssertionError("in another dialog:\n" + came);
        }
        if (!method.equals("ACK") && came.cseqNumber() <= heard) {
            throw new AssertionError("CSeq does not rise from " + heard + ":\n" + came);
        }
        heard = came.cseqNumber();
        return came;
    }

    /** As {@link #answers}, of a request of the other end that passes: it counts by itself. */
    SipRequest answersAny(String method) {
        heard = -1;
        return answers(method);
    }

    /** It comes, and is answered with 200. */
    SipRequest answers(String method) {
        SipRequest came = comes(method);
        peer.respond(came, 200, tag);
        return came;
    }
}
