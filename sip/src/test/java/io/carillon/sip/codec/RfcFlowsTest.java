package io.carillon.sip.codec;

import static io.carillon.sip.codec.TestMessages.datagram;
import static io.carillon.sip.codec.TestMessages.folder;
import static io.carillon.sip.codec.TestMessages.parse;
import static io.carillon.sip.codec.TestMessages.read;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Example messages of 35 RFCs, in flow order, by the state that their INDEX.tsv gives. */
class RfcFlowsTest {
    /** Examples that break the grammar where a strict parser refuses, and how. */
    private static final Map<String, String> FAULTY = faulty();

    /** Answers whose request the flows print too. */
    private static final int ANSWERS = 418;

    /** Responses that contradict the request they answer: mistakes of the RFC. */
    private static final Set<String> MISPRINTED =
            Set.of(
                    "rfc3428/0004_s10_200.sip",
                    "rfc3666/0016_s2.2_100.sip",
                    "rfc3666/0109_s3.3_180.sip",
                    "rfc3666/0117_s3.3_200.sip",
                    "rfc5359/0311_s2.17_200.sip",
                    "rfc5630/0058_s6.3_487.sip");

    private static Map<String, String> faulty() {
        Map<String, String> out = new HashMap<>();
        Path file = folder("rfc-flows-faults").resolve("FAULTS.tsv");
        for (Map<String, String> row : TestMessages.table(file)) {
            out.put(row.get("file"), row.get("violation"));
        }
        return out;
    }

    @TestFactory
    List<DynamicTest> complete_messages_parse_print_and_parse_again() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path rfc : TestMessages.list(folder("rfc-flows"))) {
            if (!Files.isDirectory(rfc)) {
                continue;
            }
            for (Map<String, String> row : TestMessages.table(rfc.resolve("INDEX.tsv"))) {
                String name = rfc.getFileName() + "/" + row.get("file");
                byte[] b = read(rfc.resolve(row.get("file")));
                String state = row.get("state");
                String startLine = row.get("start_line");
                tests.add(DynamicTest.dynamicTest(name, () -> check(name, b, state, startLine)));
            }
        }
        assertThat(tests).hasSize(1024);
        return tests;
    }

    private static void check(String name, byte[] b, String state, String startLine) {
        FlowText text = FlowText.of(b);
        assertThat(text.startLine()).isEqualTo(startLine);
        String violation = FAULTY.get(name);
        if (violation != null) {
            checkTolerated(b, Violation.valueOf(violation));
        }
        if (!text.wrong().isEmpty()) {
            checkRefused(text, b);
            FlowText completed = FlowText.of(text.completed());
            if (completed.wrong().isEmpty()) {
                checkRead(text.completed());
            } else {
                checkRefused(completed, text.completed());
            }
        } else if (text.lengthElided()) {
            checkTolerated(b, Violation.CONTENT_LENGTH_WITHOUT_DIGITS);
            assertThat(StreamFramerTest.frame(b)).isEmpty();
            checkRead(text.completed());
        } else if (state.startsWith("complete,CL")) {
            checkLength(text, b, state.substring("complete,CL".length()).split("!="));
        } else {
            checkRead(b);
        }
    }

    private static void checkRead(byte[] b) {
        checkRoundTrip(b);
        checkSaysWhatTheFlowSays(parse(b), FlowText.of(b));
    }

    /**
     * A request gets 400 with the name of what is wrong, where there is a Via to answer by; a
     * response goes no further (RFC 3261 16.7).
     */
    private static void checkRefused(FlowText text, byte[] b) {
        switch (datagram(b)) {
            case ParseResult.Rejected(int status, String reason, SipRequest answerable) -> {
                assertThat(text.response()).isFalse();
                assertThat(status).isEqualTo(400);
                List<String> wrong = new ArrayList<>(text.wrong());
                if (text.cut()) {
                    wrong.add("Content-Length");
                }
                assertThat(wrong).as(reason).anyMatch(reason::contains);
                assertThat(answerable != null)
                        .isEqualTo(text.first("via") != null && !text.kind().equals("ACK"));
            }
            case ParseResult.Dropped(String cause) -> assertThat(text.response()).isTrue();
            case ParseResult.Parsed parsed -> throw new AssertionError("accepted: " + parsed);
        }
    }

    /** What a reader of the RFC sees: what is asked or answered, in which call, who sends it. */
    private static void checkSaysWhatTheFlowSays(SipMessage message, FlowText text) {
        switch (message) {
            case SipRequest request -> {
                assertThat(text.response()).isFalse();
                assertThat(request.method()).isEqualTo(text.kind());
                assertThat(request.requestUri()).hasToString(text.rest());
            }
            case SipResponse response -> {
                assertThat(text.response()).isTrue();
                assertThat(response.status()).isEqualTo(Integer.parseInt(text.kind()));
                assertThat(response.reason()).isEqualTo(text.rest());
            }
        }
        assertThat(message.callId()).isEqualTo(text.first("call-id"));
        assertThat(message.cseqNumber() + "").isEqualTo(text.cseqNumber());
        assertThat(message.cseqMethod()).isEqualTo(text.cseqMethod());
        assertThat(message.fromTag()).isEqualTo(text.tag("from"));
        assertThat(message.toTag()).isEqualTo(text.tag("to"));
        assertThat(message.topVia().host()).isEqualTo(text.sentBy());
        assertThat(message.topVia().branch()).isEqualTo(text.branch());
        assertThat(message.headerCount()).isEqualTo(text.lines().size());
        assertThat(new String(message.body(), ISO_8859_1)).isEqualTo(text.body());
    }

    private static void checkTolerated(byte[] b, Violation violation) {
        MessageParser tolerant = new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT);
        MessageParser strict =
                new MessageParser(Compliance.DEFAULT.without(violation), MessageLimits.DEFAULT);
        assertThat(tolerant.parseDatagram(b.clone(), b.length))
                .isInstanceOf(ParseResult.Parsed.class);
        assertThat(tolerant.tolerated(violation)).isEqualTo(1);
        assertThat(strict.parseDatagram(b.clone(), b.length))
                .isNotInstanceOf(ParseResult.Parsed.class);
    }

    private static void checkLength(FlowText text, byte[] b, String[] declaredAndActual) {
        int declared = Integer.parseInt(declaredAndActual[0]);
        int actual = Integer.parseInt(declaredAndActual[1]);
        List<SipMessage> framed = StreamFramerTest.frame(b);
        if (declared > actual) {
            boolean response = b[0] == 'S' && b[3] == '/';
            assertThat(datagram(b))
                    .isInstanceOf(
                            response ? ParseResult.Dropped.class : ParseResult.Rejected.class);
            assertThat(framed).isEmpty();
            checkRead(text.completed());
        } else {
            assertThat(parse(b).bodyLength()).isEqualTo(declared);
            assertThat(framed.get(0).bodyLength()).isEqualTo(declared);
            checkRoundTrip(b);
        }
    }

    private static void checkRoundTrip(byte[] b) {
        SipMessage message = parse(b);
        SipMessage printed = MessageDraft.copyOf(message).freeze();
        MessageStructure.assertSame(printed, message);
        MessageStructure.assertSame(parse(MessageStructure.wire(printed)), message);
    }

    /**
     * Who answers whom. A response of ours to the request of a flow has what the flow's own
     * response has (RFC 3261 8.2.6.2: "The From field of the response MUST equal the From header
     * field of the request. The Call-ID header field of the response MUST equal", CSeq and Via
     * likewise).
     */
    @Test
    void our_answer_to_a_request_of_a_flow_is_the_one_that_the_flow_shows() {
        int answers = 0;
        for (Path rfc : TestMessages.list(folder("rfc-flows"))) {
            if (!Files.isDirectory(rfc)) {
                continue;
            }
            List<FlowText> flow = new ArrayList<>();
            for (Map<String, String> row : TestMessages.table(rfc.resolve("INDEX.tsv"))) {
                FlowText text = FlowText.of(read(rfc.resolve(row.get("file"))));
                if (text.response()) {
                    answers += answered(rfc.getFileName() + "/" + row.get("file"), flow, text);
                } else {
                    flow.add(text);
                }
            }
        }
        assertThat(answers).isEqualTo(ANSWERS);
    }

    /** The last request before it that the response answers, by its top Via and CSeq. */
    private static int answered(String name, List<FlowText> flow, FlowText shown) {
        for (FlowText asked : flow.reversed()) {
            if (!asked.wrong().isEmpty()
                    || !Objects.equals(asked.branch(), shown.branch())
                    || !Objects.equals(asked.sentBy(), shown.sentBy())
                    || !Objects.equals(asked.first("cseq"), shown.first("cseq"))
                    || !Objects.equals(asked.first("call-id"), shown.first("call-id"))
                    || asked.kind().equals("ACK")) {
                continue;
            }
            SipRequest request = (SipRequest) parse(asked.completed());
            int status = Integer.parseInt(shown.kind());
            SipMessage ours =
                    MessageDraft.responseTo(request, status, null, shown.tag("to")).freeze();
            FlowText answer = FlowText.of(MessageStructure.wire(ours));
            assertThat(answer.kind()).as(name).isEqualTo(shown.kind());
            assertThat(answer.tag("from")).as(name).isEqualTo(asked.tag("from"));
            if (!MISPRINTED.contains(name)) {
                assertThat(answer.tag("from")).as(name).isEqualTo(shown.tag("from"));
                assertThat(answer.tag("to")).as(name).isEqualTo(shown.tag("to"));
                assertThat(answer.branches()).as(name).isEqualTo(shown.branches());
            }
            assertThat(answer.first("cseq")).as(name).isEqualTo(shown.first("cseq"));
            return 1;
        }
        return 0;
    }
}
