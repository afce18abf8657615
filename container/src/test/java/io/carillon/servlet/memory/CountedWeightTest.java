package io.carillon.servlet.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.HeapBounds;
import io.carillon.servlet.harness.Bridge;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the bounds count is what the heap holds: application sessions and transactions at the weight
 * by which the heap is divided among them, and what is beyond a usual message in the accounts of
 * bytes. Whatever a peer makes longer, the heap never holds more than is counted.
 */
@Weighs
class CountedWeightTest {
    private static final int COUNT = 150;
    private static final int WARM = 50;
    private static final long LINGER_NANOS = 40_000_000_000L;
    private static final int BRANCHES = 20;
    private static final String LONG = "y".repeat(1_500);

    /** Answers at once, but those who have to wait. */
    private static final class Phone extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doInvite(SipServletRequest invite) throws IOException {
            if (!invite.getRequestURI().toString().contains("wait")) {
                invite.createResponse(200).send();
            }
        }

        @Override
        protected void doOptions(SipServletRequest options) throws IOException {
            options.createResponse(200).send();
        }

        @Override
        protected void doAck(SipServletRequest ack) {}
    }

    /** Passes an INVITE to many at once. */
    private static final class Fork extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doInvite(SipServletRequest invite) throws ServletException, IOException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            List<URI> targets = new ArrayList<>();
            for (int i = 0; i < BRANCHES; i++) {
                targets.add(factory.createURI("sip:c" + i + "@10.0.0.2:5060"));
            }
            Proxy proxy = invite.getProxy();
            proxy.setParallel(true);
            proxy.proxyTo(targets);
        }
    }

    /** What one of many adds. */
    private interface One {
        void to(DirectNode node, int number);
    }

    private static final Map<String, Supplier<SipServlet>> APPLICATIONS =
            Map.of(
                    "b2bua",
                    () -> new Bridge("sip:callee@10.0.0.2:5060"),
                    "proxy",
                    Forwarding::new,
                    "phone",
                    Phone::new,
                    "fork",
                    Fork::new);

    private static long counted(DirectNode node) {
        return (long) node.shard.transactionCount() * HeapBounds.TRANSACTION_BYTES
                + node.shard.heldBytes()
                + (long) node.container.sessions().size() * HeapBounds.SESSION_BYTES
                + node.container.keptAddresses().bytes();
    }

    private static void many(DirectNode node, SipServlet servlet, One one, int from, int to) {
        for (int i = from; i < to; i++) {
            one.to(node, i);
            node.sent.clear();
            if (servlet instanceof Bridge bridge) {
                bridge.events.clear();
            }
        }
    }

    /** The heap holds no more than is counted; neither now nor when transactions are over. */
    private static void weigh(String what, String application, One one) throws JMException {
        SipServlet servlet = APPLICATIONS.get(application).get();
        DirectNode node = new DirectNode(servlet);
        many(node, servlet, one, 0, WARM);
        node.pass(LINGER_NANOS);
        long countedBefore = counted(node);
        long heapBefore = HeldCallSizeTest.settled();
        many(node, servlet, one, WARM, WARM + COUNT);
        check(what + ", at once", node, heapBefore, countedBefore);
        node.pass(LINGER_NANOS);
        if (node.container.callsHeld() > 0) {
            check(what + ", held", node, heapBefore, countedBefore);
        }
    }

    private static void check(String what, DirectNode node, long heapBefore, long countedBefore)
            throws JMException {
        long heap = (HeldCallSizeTest.settled() - heapBefore) / COUNT;
        long counted = (counted(node) - countedBefore) / COUNT;
        System.out.println(what + ": heap " + heap + ", counted " + counted);
        assertThat(counted).as(what + ": something is held").isPositive();
        assertThat(heap).as(what).isBetween(counted / 6, counted);
    }

    /** Parameters without values: what makes the most objects of a byte. */
    private static String flags(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(";a").append(i);
        }
        return text.toString();
    }

    /**
     * Each another one, as URIs and texts that came lately are kept but once; the same in each
     * message that one end of a call sends.
     *
     * @param form the number stands for N
     */
    private static String routes(String message, int count, String form) {
        int seed =
                message.substring(message.indexOf("Call-ID:"), message.indexOf("CSeq:")).hashCode()
                        + (message.startsWith("SIP/2.0") ? 1 : 0);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            String number = Integer.toString((seed * 1013 + i) & 0xffffff, Character.MAX_RADIX);
            text.append(form.replace("N", number)).append(',');
        }
        return text.append("<sip:10.0.0.2;lr>").toString();
    }

    /** Above all that other proxies recorded, as who adds them is nearer. */
    private static String recorded(String text, String routes) {
        return text.replaceFirst("\r\n", "\r\nRecord-Route: " + routes + "\r\n");
    }

    private static String lengthened(String text, String header, String by) {
        String uri = by.isEmpty() ? "" : ";x=" + by;
        return switch (header) {
            case "From", "To", "Contact" ->
                    text.replaceAll("(?m)^(" + header + ": [^>]*)>", "$1" + uri + ">");
            case "Call-ID" -> text.replaceAll("(?m)^Call-ID: ", "Call-ID: " + by);
            case "Record-Route" -> recorded(text, "<sip:10.0.0.2:5060;lr" + uri + ">");
            case "routes" -> recorded(text, routes(text, 60, "<sip:N;lr>"));
            case "few routes" -> recorded(text, routes(text, 30, "<sip:N;lr>"));
            case "shortest routes" -> recorded(text, routes(text, 200, "<a:N>"));
            case "routes with flags" -> recorded(text, routes(text, 200, "<sip:N;lr>;q=N;ob"));
            case "parties with flags" ->
                    text.replaceAll("(?m)^((From|To): [^>]*>)", "$1" + flags(350));
            case "parties with few flags" ->
                    text.replaceAll("(?m)^((From|To): [^>]*>)", "$1" + flags(60));
            case "contact with flags" ->
                    text.replaceAll("(?m)^(Contact: [^>]*>)", "$1" + flags(350));
            case "short headers" ->
                    text.replaceAll("(?m)^Contact: ", "g:b\r\n".repeat(230) + "Contact: ");
            case "Via" -> text.replaceFirst("(?m)^(Via: .*)$", "$1" + uri);
            case "body" ->
                    text.contains("\r\n\r\nv=0")
                            ? longerSdp(text, by)
                            : text.replaceFirst(
                                    "(?s)Content-Length: 0\r\n\r\n$",
                                    "Content-Length: " + by.length() + "\r\n\r\n" + by);
            default -> text;
        };
    }

    private static String longerSdp(String text, String by) {
        int from = text.indexOf("\r\n\r\n") + 4;
        String sdp = text.substring(from) + "a=x:" + by + "\r\n";
        return text.substring(0, from)
                        .replaceFirst("Content-Length: \\d+", "Content-Length: " + sdp.length())
                + sdp;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String request(String method, String user, int number, String toTag) {
        return (method
                        + " sip:"
                        + user
                        + "@10.0.0.1:5060 SIP/2.0\nVia: SIP/2.0/UDP 10.0.0.2:5060;branch=z9hG4bK-"
                        + number
                        + method
                        + "\nFrom: <sip:caller@10.0.0.2:5060>;tag=f"
                        + number
                        + "\nTo: <sip:callee@10.0.0.1:5060>"
                        + toTag
                        + "\nCall-ID: "
                        + number
                        + "-4711@10.0.0.2\nCSeq: 1 "
                        + method
                        + "\nContact: <sip:caller@10.0.0.2:5060>\nMax-Forwards: 70\nContent-Length: 0\n\n")
                .replace("\n", "\r\n");
    }

    private static void call(DirectNode node, int number, String header, String by) {
        node.receive(bytes(lengthened(request("INVITE", "us", number, ""), header, by)));
        String tag = "";
        for (SipMessage m; (m = node.sent.poll()) != null; ) {
            if (m instanceof SipResponse response && response.status() == 200) {
                tag = ";tag=" + response.toTag();
            }
        }
        node.receive(bytes(lengthened(request("ACK", "us", number, tag), header, by)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing", "Via"})
    void anAnsweredRequest(String header) throws JMException {
        weigh(
                "OPTIONS, long " + header,
                "phone",
                (node, i) ->
                        node.receive(
                                bytes(lengthened(request("OPTIONS", "us", i, ""), header, LONG))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"From", "body", "parties with flags", "contact with flags", "short headers"})
    void anInviteThatNobodyAnswers(String header) throws JMException {
        weigh(
                "open INVITE, long " + header,
                "phone",
                (node, i) ->
                        node.receive(
                                bytes(lengthened(request("INVITE", "wait", i, ""), header, LONG))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nothing",
                "From",
                "Contact",
                "routes",
                "parties with flags",
                "parties with few flags",
                "shortest routes",
                "few routes",
                "routes with flags"
            })
    void aCallOfAUserAgent(String header) throws JMException {
        weigh("call, long " + header, "phone", (node, i) -> call(node, i, header, LONG));
    }

    @ParameterizedTest
    @CsvSource({
        "b2bua, nothing",
        "b2bua, Call-ID",
        "b2bua, Contact",
        "b2bua, Record-Route",
        "b2bua, body",
        "proxy, nothing",
        "proxy, From",
        "proxy, Contact",
        "proxy, routes",
        "proxy, body",
        "b2bua, parties with flags",
        "b2bua, parties with few flags",
        "b2bua, few routes",
        "b2bua, shortest routes",
        "proxy, parties with flags",
        "proxy, parties with few flags",
        "proxy, few routes",
        "proxy, shortest routes",
        "proxy, routes with flags"
    })
    void aCallThroughUs(String application, String header) throws JMException {
        weigh(
                application + ", long " + header,
                application,
                (node, i) ->
                        new DirectCall(
                                        node,
                                        (to, datagram) ->
                                                to.receive(
                                                        bytes(
                                                                lengthened(
                                                                        new String(
                                                                                datagram,
                                                                                StandardCharsets
                                                                                        .ISO_8859_1),
                                                                        header,
                                                                        header.equals("body")
                                                                                ? LONG.repeat(4)
                                                                                : LONG))),
                                        i)
                                .setUp());
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing", "From", "body"})
    void anInviteThatIsForked(String header) throws JMException {
        weigh(
                "forked INVITE, long " + header,
                "fork",
                (node, i) ->
                        node.receive(
                                bytes(lengthened(request("INVITE", "us", i, ""), header, LONG))));
    }

    /** The peer's answers to the branches of one INVITE: the first one rings, or picks up. */
    private static void fork(DirectNode node, int number, String header, int first, String said) {
        node.receive(bytes(lengthened(request("INVITE", "us", number, ""), header, LONG)));
        List<SipRequest> branches = new ArrayList<>();
        for (SipMessage m; (m = node.sent.poll()) != null; ) {
            if (m instanceof SipRequest branch && branch.is("INVITE")) {
                branches.add(branch);
            }
        }
        for (int i = branches.size() - 1; i >= 0; i--) {
            int status = i == 0 ? first : 486;
            MessageDraft answer =
                    MessageDraft.responseTo(branches.get(i), status, null, "t" + number + "-" + i);
            answer.set(HeaderName.CONTACT, "<sip:c" + i + "@10.0.0.2:5060>");
            if (i > 0 && !said.isEmpty()) {
                answer.body(bytes(said), "text/plain");
            }
            SipMessage frozen = answer.freezeResponse();
            node.receive(Arrays.copyOf(frozen.bytes(), frozen.length()));
            node.sent.clear();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "180, nothing",
        "180, body",
        "180, From",
        "180, said",
        "200, nothing",
        "200, body",
        "200, From",
        "200, said"
    })
    void aForkOfWhichAllButOneHaveRefused(int first, String header) throws JMException {
        weigh(
                "forked INVITE, one " + first + ", long " + header,
                "fork",
                (node, i) ->
                        fork(node, i, header, first, header.equals("said") ? LONG.repeat(4) : ""));
    }

    /** The callee says nothing, or rings: the application keeps both requests. */
    @ParameterizedTest
    @CsvSource({"b2bua, 0", "b2bua, 180", "proxy, 0", "proxy, 180"})
    void aLargeInviteThatRings(String application, int status) throws JMException {
        weigh(
                application + ", large INVITE, " + status,
                application,
                (node, i) -> {
                    byte[] invite =
                            bytes(
                                    lengthened(
                                            request("INVITE", "us", i, ""),
                                            "body",
                                            LONG.repeat(10)));
                    node.receive(invite);
                    for (SipMessage m; status > 0 && (m = node.sent.poll()) != null; ) {
                        if (m instanceof SipRequest leg && leg.is("INVITE")) {
                            SipMessage said =
                                    MessageDraft.responseTo(leg, status, null, "t" + i)
                                            .set(HeaderName.CONTACT, "<sip:callee@10.0.0.2:5060>")
                                            .freezeResponse();
                            node.receive(Arrays.copyOf(said.bytes(), said.length()));
                        }
                    }
                });
    }

    @Test
    void addressesJustBelowWhatCounts() throws JMException {
        weigh("usual call", "phone", (node, i) -> call(node, i, "From", "y".repeat(120)));
    }
}
