package io.carillon.sip.header;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.uri.SipUri;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Typed header values of RFC 3261 section 20. */
class HeaderValuesTest {
    @Test
    void every_known_name_is_found_in_any_case_and_by_its_compact_form() {
        for (int id = 0; id < HeaderName.knownCount(); id++) {
            HeaderName name = HeaderName.byId(id);
            assertThat(name.id()).isEqualTo(id);
            assertThat(HeaderName.of(name.text())).isSameAs(name);
            assertThat(HeaderName.of(name.text().toUpperCase(java.util.Locale.ROOT)))
                    .isSameAs(name);
            assertThat(HeaderName.of(name.text().toLowerCase(java.util.Locale.ROOT)))
                    .isSameAs(name);
            if (name.compact() != null) {
                assertThat(HeaderName.of(name.compact())).isSameAs(name);
            }
            assertThat(HeaderName.of(name.text() + "x").id()).isEqualTo(HeaderName.GENERIC);
        }
        assertThat(HeaderName.CONTENT_LENGTH.id()).isLessThan(64);
    }

    @Test
    void the_parser_finds_the_number_of_every_name_wherever_it_stands() {
        for (int id = 0; id < HeaderName.knownCount(); id++) {
            HeaderName name = HeaderName.byId(id);
            assertThat(HeaderName.single(id)).isEqualTo(name.single());
            for (String text : new String[] {name.text(), name.compact()}) {
                if (text != null) {
                    String upper = text.toUpperCase(java.util.Locale.ROOT);
                    // At the end of the array there is no room to read sixteen bytes at once.
                    assertThat(idOf("\r\n" + text + ": any value of it", text)).isEqualTo(id);
                    assertThat(idOf("\r\n" + upper + ": any value of it", upper)).isEqualTo(id);
                    assertThat(idOf(upper, upper)).isEqualTo(id);
                    String other = text.replace('-', '_') + "_";
                    assertThat(idOf(other + ": any value of it", other)).isEqualTo(-1);
                }
            }
        }
        assertThat(idOf("V_a: any value of it", "V_a")).isEqualTo(HeaderName.GENERIC);
        assertThat(idOf("_: any value of it....", "_")).isEqualTo(HeaderName.GENERIC);
        assertThat(idOf(": any value of it....", "")).isEqualTo(HeaderName.GENERIC);
    }

    private static int idOf(String text, String name) {
        int from = text.indexOf(name);
        return HeaderName.idOf(text.getBytes(US_ASCII), from, from + name.length());
    }

    @Test
    void single_headers_fit_the_parsers_bit_set() {
        for (int id = 64; id < HeaderName.knownCount(); id++) {
            assertThat(HeaderName.byId(id).single()).as(HeaderName.byId(id).text()).isFalse();
        }
    }

    @Test
    void generic_names_compare_without_case() {
        assertThat(HeaderName.of("X-Foo")).isEqualTo(HeaderName.of("x-foo"));
        assertThat(HeaderName.of("X-Foo")).hasSameHashCodeAs(HeaderName.of("x-foo"));
        assertThat(HeaderName.of("X-Foo")).isNotEqualTo(HeaderName.of("X-Fop"));
        byte[] b = "zz X-Foo".getBytes(US_ASCII);
        assertThat(HeaderName.match(b, 3, 8).text()).isEqualTo("X-Foo");
        assertThatThrownBy(() -> HeaderName.of("X Foo"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> HeaderName.of("X:\r\n"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void s20_10_addresses() throws SipParseException {
        NameAddress a = NameAddress.parse("\"A \\\"B\\\"\" <sip:a@h;lr> ; tag = x;q=0.5;f");
        assertThat(a.displayName()).isEqualTo("A \"B\"");
        assertThat(a.tag()).isEqualTo("x");
        assertThat(a.param("q")).isEqualTo("0.5");
        assertThat(a.param("f")).isEmpty();
        assertThat(a).hasToString("\"A \\\"B\\\"\" <sip:a@h;lr>;tag=x;q=0.5;f");
        assertThat(a.withTag("y").withoutParam("q"))
                .hasToString("\"A \\\"B\\\"\" <sip:a@h;lr>;tag=y;f");
        assertThat(a.withDisplayName(null).withoutParams()).hasToString("<sip:a@h;lr>");
        NameAddress bare = NameAddress.parse("sip:a@h;x=1");
        assertThat(((SipUri) bare.uri()).hasParam("x")).isFalse();
        assertThat(bare.param("x")).isEqualTo("1");
        assertThat(NameAddress.parse("*").wildcard()).isTrue();
        assertThat(
                        NameAddress.parse("<sip:a@h>;+sip.instance=\"<urn:uuid:0>\"")
                                .param("+sip.instance"))
                .isEqualTo("<urn:uuid:0>");
    }

    @Test
    void a_line_break_gets_into_no_address() throws SipParseException {
        NameAddress a = NameAddress.parse("<sip:a@h>");
        assertThatThrownBy(() -> a.withDisplayName("x\r\ny"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> a.withParam("x", "a\nb"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> a.withParam("x;y", "1"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(a.withParam("x", "a;b").toString()).isEqualTo("<sip:a@h>;x=\"a;b\"");
    }

    @Test
    void s20_42_vias() throws SipParseException {
        Via v =
                Via.parse(
                        "SIP / 2.0 / UDP first.example.com: 4000;ttl=16 ;maddr=224.2.0.1 ;branch=z9hG4bKa7c6a8dlze.1");
        assertThat(v.transport()).isSameAs("UDP");
        assertThat(v.host()).isEqualTo("first.example.com");
        assertThat(v.port()).isEqualTo(4000);
        assertThat(v.ttl()).isEqualTo(16);
        assertThat(v.maddr()).isEqualTo("224.2.0.1");
        assertThat(v.rport()).isEqualTo(-1);
        assertThat(v.hasTransactionId()).isTrue();
        Via asked = Via.parse("SIP/2.0/UDP h;rport;branch=z9hG4bK1");
        assertThat(asked.rport()).isZero();
        assertThat(asked.withReceived("2001:db8::1").withRport(5062))
                .hasToString("SIP/2.0/UDP h;rport=5062;branch=z9hG4bK1;received=2001:db8::1");
        assertThat(Via.of("TCP", "[::1]", 5060, "z9hG4bKx"))
                .hasToString("SIP/2.0/TCP [::1]:5060;branch=z9hG4bKx");
        for (String bad :
                List.of(
                        "SIP/2.0/UDP",
                        "SIP/2.0 h",
                        "SIP/2.0/UDP h:99999",
                        "SIP/2.0/UDP h;branch=",
                        "SIP/2.0/UDP h;branch=\"",
                        "HTTP/2.0/UDP h",
                        "SIP/2.0/UDPh")) {
            assertThatThrownBy(() -> Via.parse(bad)).as(bad).isInstanceOf(SipParseException.class);
        }
    }

    @Test
    void the_branch_of_a_response_is_the_one_text_of_the_request() throws SipParseException {
        String branch = Via.MAGIC_COOKIE + "-17-abcdefgh";
        Via ours = Via.ours("UDP", "192.0.2.1", 5060, branch, true);
        byte[] b = "SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK-17-abcdefgh;rport=1".getBytes(US_ASCII);
        ViaScan scan = new ViaScan();
        assertThat(scan.scan(b, 0, b.length)).isNull();
        assertThat(Via.scanned(scan, b, true).branch()).isSameAs(branch);
        assertThat(Via.scanned(scan, b, false).branch()).isEqualTo(branch).isNotSameAs(branch);
        assertThat(ours.branch()).isSameAs(branch);
        assertThat(ours.toString())
                .isEqualTo("SIP/2.0/UDP 192.0.2.1:5060;branch=" + branch + ";rport");
        assertThat(ours.params().get("branch")).isSameAs(branch);
        assertThat(ours.rport()).isZero();
    }

    @Test
    void a_tag_is_found_without_a_look_at_the_uri() {
        AddressScan scan = new AddressScan();
        for (String text :
                List.of(
                        "<sip:a@h;tag=no>;tag=x",
                        "\"A <>;tag=no\" <sip:a@h> ; x ; TAG = x",
                        "sip:a@h;tag=x",
                        "A B <tel:+1>;tag=x;q=1",
                        "<sip:a@h>;tag=x, <sip:b@h>;tag=y")) {
            byte[] b = text.getBytes(US_ASCII);
            scan.scanTag(b, 0, b.length);
            assertThat(new String(b, scan.tagStart(), scan.tagEnd() - scan.tagStart(), US_ASCII))
                    .as(text)
                    .isEqualTo("x");
        }
        for (String text :
                List.of("", " ", "<sip:a@h>", "sip:a@h", "<sip:a@h;tag=x", "\"a;tag=x")) {
            byte[] b = text.getBytes(US_ASCII);
            scan.scanTag(b, 0, b.length);
            assertThat(scan.tagStart()).as(text).isEqualTo(-1);
        }
    }

    @Test
    void s20_42_parameters_of_a_via_that_decide() throws SipParseException {
        Via via = Via.parse("SIP/2.0/UDP h;TTL=3;Maddr=224.2.0.1;RPort;Received=[::1];BRANCH=b");
        assertThat(via.ttl()).isEqualTo(3);
        assertThat(via.maddr()).isEqualTo("224.2.0.1");
        assertThat(via.rport()).isZero();
        assertThat(via.received()).isEqualTo("::1");
        assertThat(via.branch()).isEqualTo("b");
        Via plain = Via.parse("SIP/2.0/UDP h;x=1;branch=\"q b\";branch=c");
        assertThat(plain.branch()).isEqualTo("q b");
        assertThat(plain.rport()).isEqualTo(-1);
        assertThat(plain.received()).isNull();
        assertThat(plain.maddr()).isNull();
        assertThat(Via.parse("SIP/2.0/UDP h;branch").branch()).isEmpty();
        assertThat(Via.parse("SIP/2.0/UDP h").branch()).isNull();
    }

    @Test
    void s20_16_cseq() throws SipParseException {
        assertThat(CSeq.parse("4711 INVITE")).isEqualTo(new CSeq(4711, "INVITE"));
        assertThat(CSeq.parse("4294967295 X").number()).isEqualTo(CSeq.MAX);
        for (String bad : List.of("", "1", "INVITE", "4294967296 X", "-1 X", "1X", "1 X Y")) {
            assertThatThrownBy(() -> CSeq.parse(bad)).as(bad).isInstanceOf(SipParseException.class);
        }
    }

    @Test
    void s20_values_with_parameters() throws SipParseException {
        Parameterized type = Parameterized.parse("multipart/mixed ; boundary=\"a;b\";x");
        assertThat(type.value()).isEqualTo("multipart/mixed");
        assertThat(type.param("boundary")).isEqualTo("a;b");
        assertThat(type).hasToString("multipart/mixed;boundary=\"a;b\";x");
        assertThat(Parameterized.parse("<http://x/;y>;purpose=icon").value())
                .isEqualTo("<http://x/;y>");
        assertThatThrownBy(() -> Parameterized.parse(";x")).isInstanceOf(SipParseException.class);
        assertThatThrownBy(() -> Parameterized.parse("\"x")).isInstanceOf(SipParseException.class);
    }

    @Test
    void s20_7_credentials() throws SipParseException {
        AuthHeader a =
                AuthHeader.parse(
                        "Digest realm=\"at,lanta\", nonce=\"84f1c1ae6\" ,qop=auth,\r\n nc=00000001, opaque=\"\"");
        assertThat(a.isScheme("digest")).isTrue();
        assertThat(a.param("Realm")).isEqualTo("at,lanta");
        assertThat(a.param("nc")).isEqualTo("00000001");
        assertThat(a.param("opaque")).isEmpty();
        assertThat(AuthHeader.of("Digest").withQuoted("realm", "a\"b").withToken("stale", "true"))
                .hasToString("Digest realm=\"a\\\"b\", stale=true");
        assertThat(AuthHeader.parse("NoOneKnowsThisScheme opaque-data=here").scheme())
                .isEqualTo("NoOneKnowsThisScheme");
        assertThat(AuthHeader.parseInfo("nextnonce=\"x\"").param("nextnonce")).isEqualTo("x");
        for (String bad :
                List.of(
                        "",
                        "Digest realm",
                        "Digest realm=\"",
                        "Digest =x",
                        "Digest a=b c=d",
                        "Digest,")) {
            assertThatThrownBy(() -> AuthHeader.parse(bad))
                    .as(bad)
                    .isInstanceOf(SipParseException.class);
        }
    }

    @Test
    void s20_others() throws SipParseException {
        assertThat(RAck.parse("776656 1 INVITE")).isEqualTo(new RAck(776656, 1, "INVITE"));
        assertThat(RAck.parse("1 2 X")).hasToString("1 2 X");
        Warning w = Warning.parse("370 devnull \"Choose a \\\"bigger\\\" pipe\"");
        assertThat(w).isEqualTo(new Warning(370, "devnull", "Choose a \"bigger\" pipe"));
        assertThat(Warning.parse(w.toString())).isEqualTo(w);
        assertThat(RetryAfter.parse("18000;duration=3600")).isEqualTo(new RetryAfter(18000, 3600));
        assertThat(RetryAfter.parse("120 (I'm in a meeting)")).isEqualTo(new RetryAfter(120, -1));
        SipDate date = SipDate.parse("Sat, 13 Nov 2010 23:29:00 GMT");
        assertThat(date.instant()).isEqualTo(Instant.parse("2010-11-13T23:29:00Z"));
        assertThat(date).hasToString("Sat, 13 Nov 2010 23:29:00 GMT");
        assertThatThrownBy(() -> SipDate.parse("Fri, 01 Jan 2010 16:00:00 EST"))
                .isInstanceOf(SipParseException.class);
        assertThatThrownBy(() -> Warning.parse("")).isInstanceOf(SipParseException.class);
        assertThatThrownBy(() -> Warning.parse("1812 overture \"x\""))
                .isInstanceOf(SipParseException.class);
    }
}
