package io.carillon.fuzz.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.carillon.fuzz.check.Finding;
import io.carillon.fuzz.check.Nowhere;
import io.carillon.sip.address.AddressRange;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.edge.EdgeConfig;
import io.carillon.sip.edge.InternalHosts;
import io.carillon.sip.edge.Peer;
import io.carillon.sip.edge.PeerTable;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.outbox.Edge;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;

/**
 * A message with its session description at the edge to a carrier from whom the inside is hidden:
 * whichever way it goes, what comes out can be read; the answer to a request that left has the
 * request's own From and Call-ID again when it is inside.
 */
public final class HidingTarget {
    private static final Hop CARRIER = hop("198.51.100.7");
    private static final MessageParser PARSER =
            new MessageParser(Compliance.LENIENT, MessageLimits.DEFAULT);
    private static final Edge EDGE = edge();

    private HidingTarget() {}

    private static Hop hop(String host) {
        return Hop.to(Transport.UDP, new InetSocketAddress(InetAddress.ofLiteral(host), 5060));
    }

    private static Edge edge() {
        PeerTable peers =
                PeerTable.builder()
                        .add(
                                Peer.named("carrier").hiding(),
                                List.of(AddressRange.parse("198.51.100.0/24")),
                                List.of())
                        .build();
        InternalHosts inside =
                new InternalHosts(InternalHosts.UNREACHABLE, List.of("node7", "core.example"));
        byte[] key = "a key of more than sixteen bytes".getBytes(ISO_8859_1);
        return new EdgeConfig(peers, List.of(key), inside, Compliance.DEFAULT)
                .open(Nowhere.WIRE, MessageLimits.DEFAULT, counter -> {});
    }

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (!(PARSER.parseDatagram(data.clone(), data.length)
                instanceof ParseResult.Parsed(SipMessage message))) {
            return;
        }
        SipMessage left = EDGE.leaves(message, CARRIER, false);
        if (left != null) {
            parsed(left);
        }
        if (message instanceof SipRequest request) {
            EDGE.leaves(message, CARRIER, true);
            arrives(request);
            if (left != null) {
                answered(request, (SipRequest) parsed(left));
            }
        }
    }

    private static void arrives(SipRequest request) {
        SipRequest shown = EDGE.arrived(request, CARRIER);
        if (shown != null) {
            parsed(shown);
        } else {
            int status = EDGE.refusal().status();
            Finding.unlessEqual("refused with", status == 404 || status == 481, true);
        }
    }

    private static void answered(SipRequest request, SipRequest left) {
        SipResponse answer =
                (SipResponse) parsed(MessageDraft.responseTo(left, 200, null, "t").freeze());
        SipMessage shown = parsed(EDGE.arrived(answer, request, CARRIER));
        Finding.unlessEqual("Call-ID", shown.callId(), request.callId());
        Finding.unlessEqual("From", text(shown, HeaderName.FROM), text(request, HeaderName.FROM));
    }

    private static String text(SipMessage message, HeaderName name) {
        return String.valueOf(message.header(name));
    }

    private static SipMessage parsed(SipMessage message) {
        byte[] bytes = Arrays.copyOf(message.bytes(), message.length());
        if (PARSER.parseDatagram(bytes, bytes.length) instanceof ParseResult.Parsed(SipMessage m)) {
            return m;
        }
        throw new Finding("cannot be read:\n" + message);
    }
}
