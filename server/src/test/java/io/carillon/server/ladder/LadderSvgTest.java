package io.carillon.server.ladder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

class LadderSvgTest {
    private static Document parse(String svg) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> texts(Document document) {
        NodeList found = document.getElementsByTagName("text");
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            texts.add(found.item(i).getTextContent());
        }
        return texts;
    }

    @Test
    void theDrawingIsWellFormedAndShowsEveryEvent() throws Exception {
        CallTrace call = SampleEvents.call();
        Document document = parse(LadderSvg.of(call));

        assertThat(document.getDocumentElement().getAttribute("viewBox")).startsWith("0 0 ");
        assertThat(texts(document))
                .contains("10.0.1.1:5060", "Carillon", "10.0.1.2:5060", "TLS, leg 2")
                .contains("INVITE SDP", "180 Ringing (INVITE)", "BYE, again", "+1.004 s")
                .anySatisfy(text -> assertThat(text).startsWith("relay INVITE · 0.42 ms"))
                .anySatisfy(text -> assertThat(text).contains("nobody answered in 64*T1"));
        int rows = document.getElementsByTagName("g").getLength();
        assertThat(rows).isEqualTo(call.events().size() - 1); // the note has nothing to rest on
    }

    @Test
    void aLabelOverAnArrowIsWholeAndTimesKeepTheirMilliseconds() throws Exception {
        TraceEvent answer =
                SampleEvents.received(
                        2,
                        12_345_678,
                        "leg-two",
                        "SIP/2.0 200 Answering\r\nCSeq: 1 INVITE\r\nContent-Type: application/sdp\r\n\r\n",
                        "TLS",
                        "10.0.1.2:5060");
        List<TraceEvent> events = new ArrayList<>(SampleEvents.call().events());
        events.add(answer);
        Document document =
                parse(
                        LadderSvg.of(
                                new CallTrace(
                                        "leg-one",
                                        List.of("leg-one", "leg-two"),
                                        List.of(),
                                        "node1",
                                        false,
                                        events)));
        assertThat(texts(document))
                .contains("200 Answering (INVITE) SDP", "+12.346 s", "+32.500 s")
                .noneMatch(text -> text.contains("Answering") && text.endsWith("…"));
    }

    @Test
    void nothingIsFetchedFromElsewhereAndBothSurroundingsAreThoughtOf() {
        String svg = LadderSvg.of(SampleEvents.call());
        assertThat(svg).contains("@media (prefers-color-scheme: dark)");
        assertThat(svg.replace("http://www.w3.org/2000/svg", ""))
                .doesNotContain("http", "href", "url(", "<script", "@import");
    }

    @Test
    void whatAPeerWroteCannotBreakTheDrawing() throws Exception {
        String evil =
                "OPTIONS sip:x SIP/2.0\r\nCSeq: 1 <script>alert(\"&\")]]>\r\nX: \u0001\u0000\uFFFF\uD83D\r\n\r\n";
        TraceEvent event = SampleEvents.received(1, 0, "<id>&\"", evil, "UDP", "10.0.1.1:5060");
        Document document =
                parse(
                        LadderSvg.of(
                                new CallTrace(
                                        "<id>&\"",
                                        List.of("<id>&\""),
                                        List.of(),
                                        "<node>",
                                        true,
                                        List.of(event))));
        assertThat(document.getElementsByTagName("script").getLength()).isZero();
        assertThat(texts(document)).contains("Call <id>&\"");
    }

    @Test
    void aCallWithoutMessagesIsDrawnToo() throws Exception {
        parse(LadderSvg.of(new CallTrace("x", List.of("x"), List.of(), "n", false, List.of())));
    }
}
