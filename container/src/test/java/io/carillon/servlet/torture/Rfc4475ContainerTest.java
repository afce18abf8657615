package io.carillon.servlet.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.torture.TortureServer.Sent;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The 50 torture messages of RFC 4475 at a container with the example proxy and at one with the
 * example endpoint, as EXPECTED.tsv has them in its columns proxy and endpoint_or_registrar.
 */
class Rfc4475ContainerTest {
    /**
     * What may become of each message: forwarded, dropped, or answered by one of these. The example
     * is no registrar, so it answers REGISTER by 405.
     */
    private static final String TABLE =
            """
            wsinv       forwarded          200
            intmeth     forwarded          501
            esc01       forwarded          200
            escnull     forwarded          405
            esc02       forwarded          501
            lwsdisp     forwarded          200
            longreq     forwarded          200
            dblreq      forwarded          405
            semiuri     forwarded          200
            transports  forwarded          200
            mpart01     forwarded          200/415
            unreason    dropped            dropped
            noreason    dropped            dropped
            badinv01    400                400
            clerr       400                400
            ncl         400                400
            scalar02    400                400
            scalarlg    dropped            dropped
            quotbal     400                400
            ltgtruri    400/forwarded      400
            lwsruri     400                400
            lwsstart    400/forwarded      400/200
            trws        400/forwarded      400/200
            escruri     400/forwarded      400
            baddate     forwarded          200/400
            regbadct    400/forwarded      400
            badaspec    400                400
            baddn       400                400
            badvers     505                505
            mismatch01  400                400
            mismatch02  501/400            501/400
            bigcode     dropped            dropped
            badbranch   400/forwarded      400/200
            insuf       400                400
            unkscm      416                416
            novelsc     416/404            416/404
            unksm2      forwarded          405
            bext01      420                420
            invut       forwarded          415
            regaut01    forwarded          405
            multi01     400                400
            mcl01       400                400
            bcast       dropped            dropped
            zeromf      483                200
            cparam01    forwarded          405
            cparam02    forwarded          405
            regescrt    forwarded          405
            sdp01       forwarded          406/400
            inv2543     forwarded          200/400
            test        400/dropped        400/dropped
            """;

    private static final List<String> ROUTING =
            List.of(
                    "via",
                    "route",
                    "record-route",
                    "max-forwards",
                    "max-breadth",
                    "content-length");

    @TempDir private static Path folder;
    private static Torture torture;

    @BeforeAll
    static void build() throws IOException {
        torture = new Torture(folder, "rfc4475");
    }

    @TestFactory
    Stream<DynamicTest> at_a_proxy() throws IOException {
        return torture.rows(TABLE, 50)
                .map(row -> DynamicTest.dynamicTest(row[0], () -> proxy(row)));
    }

    @TestFactory
    Stream<DynamicTest> at_an_endpoint() throws IOException {
        return torture.rows(TABLE, 50)
                .map(row -> DynamicTest.dynamicTest(row[0], () -> endpoint(row)));
    }

    private static void proxy(String[] row) throws Exception {
        byte[] bytes = torture.read(row[0]);
        TortureServer server = torture.proxy(486).receive(bytes);
        assertThat(row[1].split("/")).contains(server.outcome());
        if (server.outcome().equals("forwarded")) {
            assertForwarded(row[0], server, new RawMessage(bytes));
            assertThat(server.status()).as("the answer of the next hop").isEqualTo(486);
        }
        if (row[0].equals("bext01")) {
            assertThat(server.response().headers(HeaderName.UNSUPPORTED))
                    .containsExactly("noProxiesSupportThis", "norDoAnyProxiesSupportThis");
        }
        server.assertClean();
    }

    /** RFC 3261 16.6 changes the routing; all else leaves as it came, byte by byte. */
    private static void assertForwarded(String name, TortureServer server, RawMessage came) {
        assertThat(server.forwarded()).hasSize(1);
        Sent sent = server.forwarded().getFirst();
        RawMessage went = new RawMessage(sent.bytes());
        assertThat(went.without(ROUTING)).isEqualTo(came.without(ROUTING));
        SipRequest request = (SipRequest) Objects.requireNonNull(sent.message());
        boolean second = name.equals("dblreq"); // what follows its empty body is no part of it
        assertThat(went.body).isEqualTo(second ? "" : came.body);
        assertThat(request.bodyLength()).isEqualTo(went.body.length());
        switch (name) {
            // Their next hop is a strict router: it goes into the Request-URI (16.6 item 6).
            case "mpart01" -> {
                assertThat(went.startLine).isEqualTo("MESSAGE sip:127.0.0.1:5080 SIP/2.0");
                assertThat(request.routes()).hasToString("[<sip:kumiko@example.org>]");
            }
            case "wsinv" -> {
                assertThat(went.startLine).isEqualTo(came.startLine);
                assertThat(request.topRoute())
                        .hasToString(
                                "<sip:services.example.com;lr;unknownwith=value;unknown-no-value>");
            }
            default -> assertThat(went.startLine).isEqualTo(came.startLine);
        }
        int maxForwards =
                switch (name) {
                    case "wsinv" -> 67;
                    case "intmeth" -> 254;
                    case "esc01" -> 86;
                    case "semiuri", "badbranch" -> 2;
                    case "sdp01" -> 4;
                    case "regaut01" -> 7;
                    case "inv2543" -> 70;
                    default -> request.maxForwards();
                };
        assertThat(request.maxForwards()).isEqualTo(maxForwards);
        assertThat(request.topVia().host()).isEqualTo("10.0.0.1");
        assertThat(server.response().vias())
                .as("their Via")
                .isEqualTo(request.vias().subList(1, request.vias().size()));
    }

    private static void endpoint(String[] row) throws Exception {
        TortureServer server = torture.uas().receive(torture.read(row[0]));
        assertThat(row[2].split("/")).contains(server.outcome());
        switch (server.outcome()) {
            // The stack answers a method that is unknown and no match for CSeq before anybody
            // knows what is allowed.
            case "501", "405" ->
                    assertThat(server.response().has(HeaderName.ALLOW))
                            .isEqualTo(!row[0].equals("mismatch02"));
            case "415" -> assertThat(server.response().has(HeaderName.ACCEPT)).isTrue();
            case "406" ->
                    assertThat(server.response().header(HeaderName.WARNING)).startsWith("399 ");
            case "420" ->
                    assertThat(server.response().headers(HeaderName.UNSUPPORTED))
                            .containsExactly("nothingSupportsThis", "nothingSupportsThisEither");
            case "200" -> assertThat(server.response().toTag()).isNotNull();
            default -> {}
        }
        server.assertClean();
    }

    @Test
    void s3_1_1_1_an_invite_with_the_tag_of_others_keeps_it() throws Exception {
        SipResponse ok = torture.uas().receive(torture.read("wsinv")).response();
        assertThat(ok.toTag()).isEqualTo("1918181833n");
    }

    @Test
    void s3_1_1_8_what_follows_the_body_in_a_datagram_reaches_nobody() throws Exception {
        for (TortureServer server : List.of(torture.proxy(486), torture.uas())) {
            server.receive(torture.read("dblreq"));
            assertThat(server.sent).noneMatch(sent -> sent.text().contains("INVITE sip:"));
        }
    }

    @Test
    void s3_1_1_12_and_13_reason_phrases_go_upstream_unchanged() throws Exception {
        for (String name : List.of("unreason", "noreason")) {
            TortureServer server = torture.proxy(0).receive(torture.read("esc01"));
            SipRequest request =
                    (SipRequest) Objects.requireNonNull(server.forwarded().getFirst().message());
            RawMessage answer = new RawMessage(torture.read(name));
            String text =
                    answer.startLine.replace(" 100 ", " 486 ")
                            + request.toString()
                                    .substring(request.toString().indexOf("\r\n"))
                                    .replaceFirst("(?s)\r\nContent-Length:.*", "\r\n")
                            + "Content-Length: 0\r\n\r\n";
            server.receiveFromWorld(text.getBytes(StandardCharsets.ISO_8859_1));
            RawMessage upstream = new RawMessage(server.finals().getFirst().bytes());
            assertThat(upstream.startLine).isEqualTo(answer.startLine.replace(" 100 ", " 486 "));
        }
    }

    @Test
    void s3_2_1_requests_with_the_bare_cookie_are_transactions_of_their_own() throws Exception {
        String one = new String(torture.read("badbranch"), StandardCharsets.ISO_8859_1);
        String two = one.replace("badbranch.", "another.");
        TortureServer server = torture.uas();
        server.receive(one.getBytes(StandardCharsets.ISO_8859_1));
        server.receive(two.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(server.finals()).hasSize(2);
        server.receive(one.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(server.finals()).as("repeated").hasSize(2);
    }

    @Test
    void s3_3_10_a_via_that_names_a_whole_network_gets_its_answer_at_the_source() throws Exception {
        for (String maddr : List.of("255.255.255.255", "224.0.1.75", "0.0.0.0")) {
            String text =
                    new String(torture.read("zeromf"), StandardCharsets.ISO_8859_1)
                            .replace("branch", "maddr=" + maddr + ";branch");
            TortureServer server = torture.uas();
            server.receive(text.getBytes(StandardCharsets.ISO_8859_1));
            assertThat(server.status()).isEqualTo(200);
            assertThat(server.finals().getFirst().to()).isEqualTo(TortureServer.CLIENT);
        }
    }
}
