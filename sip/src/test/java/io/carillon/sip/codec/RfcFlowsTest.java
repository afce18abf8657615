package io.carillon.sip.codec;

import static io.carillon.sip.codec.TestMessages.datagram;
import static io.carillon.sip.codec.TestMessages.folder;
import static io.carillon.sip.codec.TestMessages.parse;
import static io.carillon.sip.codec.TestMessages.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Example messages of 35 RFCs, in flow order, by the state that their INDEX.tsv gives. */
class RfcFlowsTest {
    /** Examples that break the grammar where a strict parser refuses, and how. */
    private static final Map<String, String> FAULTY = faulty();

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
                tests.add(DynamicTest.dynamicTest(name, () -> check(name, b, state)));
            }
        }
        assertThat(tests).hasSize(1024);
        return tests;
    }

    private static void check(String name, byte[] b, String state) {
        String violation = FAULTY.get(name);
        if (violation != null) {
            checkTolerated(b, Violation.valueOf(violation));
        }
        if (!state.startsWith("complete") || state.contains("elided")) {
            assertThat(datagram(b)).isNotNull();
        } else if (state.startsWith("complete,CL")) {
            checkLength(b, state.substring("complete,CL".length()).split("!="));
        } else {
            checkRoundTrip(b);
        }
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

    private static void checkLength(byte[] b, String[] declaredAndActual) {
        int declared = Integer.parseInt(declaredAndActual[0]);
        int actual = Integer.parseInt(declaredAndActual[1]);
        List<SipMessage> framed = StreamFramerTest.frame(b);
        if (declared > actual) {
            boolean response = b[0] == 'S' && b[3] == '/';
            assertThat(datagram(b))
                    .isInstanceOf(
                            response ? ParseResult.Dropped.class : ParseResult.Rejected.class);
            assertThat(framed).isEmpty();
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
}
