package io.carillon.sip.codec;

import static io.carillon.sip.codec.TestMessages.datagram;
import static io.carillon.sip.codec.TestMessages.folder;
import static io.carillon.sip.codec.TestMessages.parse;
import static io.carillon.sip.codec.TestMessages.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.header.Via;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.uri.SipUri;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The IPv6 torture messages of RFC 5118, at the parser, by their EXPECTED.tsv. */
class Rfc5118Ipv6Test {
    private static final Path FOLDER = folder("rfc5118");

    private static SipRequest request(String name) {
        return (SipRequest) parse(read(FOLDER.resolve(name + ".dat")));
    }

    @TestFactory
    List<DynamicTest> each_message_as_expected() {
        List<Map<String, String>> rows = TestMessages.table(FOLDER.resolve("EXPECTED.tsv"));
        assertThat(rows).hasSize(15);
        return rows.stream()
                .map(row -> DynamicTest.dynamicTest(row.get("file"), () -> check(row)))
                .toList();
    }

    private static void check(Map<String, String> row) {
        ParseResult result = datagram(read(FOLDER.resolve(row.get("file"))));
        int declared = Integer.parseInt(row.get("content_length_header"));
        boolean short_ = declared > Integer.parseInt(row.get("actual_body_bytes"));
        if (short_ || row.get("expected").startsWith("400")) {
            assertThat(((ParseResult.Rejected) result).status()).isEqualTo(400);
            return;
        }
        assertThat(((ParseResult.Parsed) result).message().bodyLength()).isEqualTo(declared);
    }

    @Test
    void s4_3_a_port_inside_the_brackets_is_no_port() {
        SipUri ambiguous = (SipUri) request("port-ambiguous").requestUri();
        assertThat(ambiguous.port()).isEqualTo(-1);
        assertThat(ambiguous.host()).isEqualTo("[2001:db8::10:5070]");
        SipUri clear = (SipUri) request("port-unambiguous").requestUri();
        assertThat(clear.port()).isEqualTo(5070);
        assertThat(clear.host()).isEqualTo("[2001:db8::10]");
    }

    @Test
    void s4_5_received_is_given_out_without_brackets() {
        assertThat(request("via-received-param-with-delim").topVia().received())
                .isEqualTo("2001:db8::9:255");
        assertThat(request("via-received-param-no-delim").topVia().received())
                .isEqualTo("2001:db8::9:255");
    }

    @Test
    void s4_7_via_lists_mix_address_families() {
        assertThat(request("mult-ip-in-header").vias())
                .extracting(Via::received)
                .contains("192.0.2.200");
    }

    @Test
    void s4_10_three_colons_are_accepted() {
        assertThat(((SipUri) request("ipv6-bug-abnf-3-colons").requestUri()).host())
                .isEqualTo("[2001:db8:::192.0.2.1]");
    }
}
