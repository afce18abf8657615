package io.carillon.sip.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 3325 at the border of a trust domain, under every spelling of a header (A25). */
class TrustDomainTest {
    private static final Hop INSIDE = hop("10.1.2.3");
    private static final Hop OUTSIDE = hop("192.0.2.1");
    private final TrustDomain domain =
            new TrustDomain(AddressRanges.of(List.of("10.0.0.0/8", "2001:db8::/33")), false);

    private static Hop hop(String address) {
        return Hop.to(Transport.UDP, new InetSocketAddress(InetAddress.ofLiteral(address), 5060));
    }

    private static SipMessage parse(String... headers) {
        return from("<sip:a@example.com>", headers);
    }

    private static SipMessage from(String from, String... headers) {
        String text =
                "INVITE sip:b@example.com SIP/2.0\r\n"
                        + "Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKx\r\n"
                        + "Max-Forwards: 70\r\nFrom: "
                        + from
                        + ";tag=a\r\n"
                        + "To: <sip:b@example.com>\r\nCall-ID: c\r\nCSeq: 1 INVITE\r\n"
                        + String.join("\r\n", headers)
                        + (headers.length == 0 ? "" : "\r\n")
                        + "Subject: keep\r\nContent-Length: 0\r\n\r\n";
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ParseResult result =
                new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT)
                        .parseDatagram(bytes, bytes.length);
        if (result instanceof ParseResult.Parsed parsed) {
            return parsed.message();
        }
        throw new AssertionError(text + result);
    }

    private static String text(SipMessage message) {
        return new String(message.bytes(), 0, message.length(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "P-Asserted-Identity: <sip:king@example.com>",
                "p-asserted-identity: <sip:king@example.com>",
                "P-ASSERTED-IDENTITY:<sip:king@example.com>",
                "P-Asserted-Identity : <sip:king@example.com>",
                "P-Asserted-Identity\t: <sip:king@example.com>",
                "P-Asserted-Identity:\r\n <sip:king@example.com>",
                "P-Asserted-Identity: <sip:x@y>\r\nSubject: x\r\np-Asserted-identity: <tel:+1king>",
                "P-Asserted-Identity: <sip:x@y>, <tel:+1555>\r\nP-Asserted-Identity: \"king\" <sip:k@y>",
                "Remote-Party-ID: <sip:king@example.com>;party=calling",
                "remote-party-id : <sip:king@example.com>",
                "P-Asserted-Service: urn:urn-7:3gpp-service.king",
                "P-Charging-Vector: icid-value=king",
                "P-Charging-Function-Addresses: ccf=king.example.com",
            })
    void noAssertionOfAStrangerComesInUnderAnySpelling(String header) {
        SipMessage seen = domain.received(parse(header), OUTSIDE);
        assertThat(text(seen)).doesNotContain("king").doesNotContainIgnoringCase("asserted");
        assertThat(seen.header(HeaderName.SUBJECT)).isNotNull();
        SipMessage left = domain.leaving(parse(header), OUTSIDE);
        assertThat(text(left)).doesNotContain("king").doesNotContainIgnoringCase("asserted");
    }

    /**
     * IANA, Session Initiation Protocol (SIP) Parameters, Header Fields: all that begin with P-,
     * and those of 3GPP. What stays is between a network and its phones, or a wish.
     */
    @ParameterizedTest
    @CsvSource({
        "P-Access-Network-Info, in, -",
        "P-Answer-State, in, out",
        "P-Asserted-Identity, -, -",
        "P-Asserted-Service, -, -",
        "P-Associated-URI, in, out",
        "P-Called-Party-ID, -, out",
        "P-Charge-Info, -, -",
        "P-Charging-Function-Addresses, -, -",
        "P-Charging-Vector, -, -",
        "P-DCS-Billing-Info, -, -",
        "P-DCS-LAES, -, -",
        "P-DCS-OSPS, -, -",
        "P-DCS-Redirect, -, -",
        "P-DCS-Trace-Party-ID, -, -",
        "P-Early-Media, in, out",
        "P-Media-Authorization, in, out",
        "P-Preferred-Identity, in, -",
        "P-Preferred-Service, in, out",
        "P-Private-Network-Indication, -, -",
        "P-Profile-Key, -, -",
        "P-Refused-URI-List, -, -",
        "P-Served-User, -, -",
        "P-User-Database, -, -",
        "P-Visited-Network-ID, -, -",
        "Additional-Identity, -, -",
        "Attestation-Info, -, -",
        "Cellular-Network-Info, in, -",
        "Origination-Id, -, -",
        "Priority-Verstat, -, -",
        "Relayed-Charge, -, -",
        "Restoration-Info, -, -",
        "Service-Interact-Info, -, -",
        "Feature-Caps, in, out",
        "Resource-Priority, in, out",
    })
    void eachHeaderOfNetworksHasItsPlace(String name, String comesIn, String leaves) {
        for (String written : List.of(name, name.toLowerCase(Locale.ROOT))) {
            SipMessage message = parse("X-Y: 1", written + ": <sip:king@example.com>");
            HeaderName header = HeaderName.of(name);
            assertThat(domain.received(message, OUTSIDE).has(header))
                    .isEqualTo(comesIn.equals("in"));
            assertThat(domain.leaving(message, OUTSIDE).has(header))
                    .isEqualTo(leaves.equals("out"));
            assertThat(domain.received(message, INSIDE)).isSameAs(message);
        }
    }

    /** 3GPP TS 24.229 7.2A.20: a network says that it has verified a number, nobody else. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "<tel:+4930;verstat=TN-Validation-Passed> | <tel:+4930>",
                "<sip:+4930;verstat=TN-Validation-Passed@x;user=phone> | <sip:+4930@x;user=phone>",
                "<sip:+4930@x;a=b;VerStat=TN-Validation-Passed;c> | <sip:+4930@x;a=b;c>",
                "<sip:+4930@x;%76erst%41t=TN-Validation-Passed> | <sip:+4930@x>",
                "\"x;verstat=1\" <sip:a@x;verstat=y>;z=\"q\" | \"x;verstat=1\" <sip:a@x>;z=\"q\"",
                "\"x\\\"y;verstat=1\" <sip:a@x;verstat> | \"x\\\"y;verstat=1\" <sip:a@x>",
                "<sip:a@x>;verstat=y | <sip:a@x>",
                "<sip:+4930;vers;verstattat=P@x> | <sip:+4930;vers;verstattat=P@x>",
                "<sip:+4930@x;ver;verstatstat=P> | <sip:+4930@x;ver;verstatstat=P>",
                "<tel:+4930;ver;verstatstat=P> | <tel:+4930;ver;verstatstat=P>",
                "<sip:+4930;ver;verstat=1;verstat;stat=P@x> | <sip:+4930;ver;stat=P@x>",
                "<sip:+49%3Bverstat=P@x> | <sip:+49@x>",
                "<sip:+49%3bverstat%3dP%3Ba=b@x> | <sip:+49%3Ba=b@x>",
                "<sip:a@x>;verstat=\"y;z\";t=1 | <sip:a@x>;t=1",
            })
    void noStrangerSaysThatHisNumberWasVerified(String from, String seen) {
        SipMessage message = from(from);
        assertThat(domain.received(message, INSIDE)).isSameAs(message);
        assertThat(domain.received(message, OUTSIDE).header(HeaderName.FROM))
                .isEqualTo(seen + ";tag=a");
    }

    /** What is not understood as the header is none for anybody behind us either. */
    @Test
    void aNameWithANulOrASpaceInsideIsNoMessage() {
        for (String name : List.of("P-Asserted-Identity\0", "P-Asserted -Identity")) {
            assertThatThrownBy(() -> parse(name + ": <sip:king@example.com>"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("Rejected");
        }
    }

    @Test
    void withinTheDomainEverythingPassesAsItCame() {
        SipMessage message =
                parse(
                        "P-Asserted-Identity: <sip:a@example.com>",
                        "Privacy: id",
                        "History-Info: <sip:x@y>;index=1");
        assertThat(domain.received(message, INSIDE)).isSameAs(message);
        assertThat(domain.leaving(message, INSIDE)).isSameAs(message);
        SipMessage plain = parse();
        assertThat(domain.received(plain, OUTSIDE)).isSameAs(plain);
        assertThat(domain.leaving(plain, OUTSIDE)).isSameAs(plain);
    }

    /** RFC 3325 7. */
    @ParameterizedTest
    @CsvSource({"none, true", "id, false", "'user;id', false", "'', false", "'none;id', false"})
    void whetherAnIdentityLeavesIsItsOwnersChoice(String privacy, boolean leaves) {
        SipMessage message =
                privacy.isEmpty()
                        ? parse("P-Asserted-Identity: <sip:a@example.com>")
                        : parse("P-Asserted-Identity: <sip:a@example.com>", "Privacy: " + privacy);
        SipMessage left = domain.leaving(message, OUTSIDE);
        assertThat(left.has(HeaderName.P_ASSERTED_IDENTITY)).isEqualTo(leaves);
        assertThat(left.has(HeaderName.PRIVACY)).isEqualTo(!privacy.isEmpty());
    }

    @Test
    void whatAUserPrefersGoesNoFurther() {
        SipMessage message = parse("P-Preferred-Identity: <sip:a@example.com>");
        assertThat(domain.received(message, OUTSIDE)).isSameAs(message);
        assertThat(domain.leaving(message, INSIDE).has(HeaderName.P_PREFERRED_IDENTITY)).isFalse();
        assertThat(domain.leaving(message, OUTSIDE).has(HeaderName.P_PREFERRED_IDENTITY)).isFalse();
    }

    @Test
    void assertionsOfStrangersStayWhereThatIsSaid() {
        TrustDomain keeps = new TrustDomain(AddressRanges.of(List.of("10.0.0.0/8")), true);
        SipMessage message = parse("P-Asserted-Identity: <sip:a@example.com>");
        assertThat(keeps.received(message, OUTSIDE)).isSameAs(message);
        assertThat(keeps.leaving(message, OUTSIDE).has(HeaderName.P_ASSERTED_IDENTITY)).isFalse();
    }

    /** RFC 7044 10.1.2. */
    @Test
    void historyLeavesAsItsOwnersWant() {
        String one = "<sip:b@example.com>;index=1";
        String two = "<sip:c@example.com?Privacy=history>;index=1.1;rc=1";
        String three = "<sip:d@example.com?Reason=SIP%3Bcause%3D302>;index=1.2;mp=1";
        SipMessage some = parse("History-Info: " + one + ", " + two, "History-Info: " + three);
        assertThat(domain.leaving(some, INSIDE)).isSameAs(some);
        assertThat(domain.leaving(some, OUTSIDE).headers(HeaderName.HISTORY_INFO))
                .containsExactly(one, "<sip:anonymous@anonymous.invalid>;index=1.1;rc=1", three);
        SipMessage all = parse("History-Info: " + one + ", " + three, "Privacy: history;id");
        SipMessage left = domain.leaving(all, OUTSIDE);
        assertThat(left.headers(HeaderName.HISTORY_INFO))
                .containsExactly(
                        "<sip:anonymous@anonymous.invalid>;index=1",
                        "<sip:anonymous@anonymous.invalid>;index=1.2;mp=1");
        assertThat(left.header(HeaderName.PRIVACY)).isEqualTo("id");
    }

    /** RFC 7044 10.1.2: "Any other priv-values ... MUST be ignored. In any case" it is removed. */
    @Test
    void thePrivacyOfAnEntryDoesNotLeave() {
        SipMessage message =
                parse(
                        "Privacy: history",
                        "History-Info: <sip:anonymous@anonymous.invalid>;index=1");
        assertThat(domain.leaving(message, OUTSIDE).has(HeaderName.PRIVACY)).isFalse();
        SipMessage other =
                parse(
                        "History-Info: <sip:c@example.com?Privacy=id&Reason=SIP%3Bcause%3D302>;index=1");
        assertThat(domain.leaving(other, OUTSIDE).headers(HeaderName.HISTORY_INFO))
                .containsExactly("<sip:c@example.com?Reason=SIP%3Bcause%3D302>;index=1");
    }

    /** RFC 5806: each diverting user has said what of him may be seen. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "full | <sip:anonymous@anonymous.invalid>",
                "FULL | <sip:anonymous@anonymous.invalid>",
                "unheard-of | <sip:anonymous@anonymous.invalid>",
                "name | <sip:d@example.com>",
                "uri | \"Dora\" <sip:anonymous@anonymous.invalid>",
                "off | \"Dora\" <sip:d@example.com>",
            })
    void diversionsLeaveAsTheirOwnersWant(String privacy, String address) {
        String rest = ";reason=unconditional;privacy=" + privacy;
        SipMessage message = parse("Diversion: \"Dora\" <sip:d@example.com>" + rest);
        assertThat(domain.leaving(message, INSIDE)).isSameAs(message);
        assertThat(domain.leaving(message, OUTSIDE).headers(HeaderName.DIVERSION))
                .containsExactly(address + rest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"history", "header"})
    void whoWantsNoDiversionsToBeSeenIsFollowedForAllOfThem(String privacy) {
        SipMessage message =
                parse(
                        "Privacy: " + privacy,
                        "Diversion: \"Dora\" <tel:+4930>;privacy=off, <sip:e@example.com>;counter=1");
        assertThat(domain.leaving(message, OUTSIDE).headers(HeaderName.DIVERSION))
                .containsExactly(
                        "<sip:anonymous@anonymous.invalid>;privacy=off",
                        "<sip:anonymous@anonymous.invalid>;counter=1");
    }

    /** RFC 7315 4.4.2.2; what a user agent writes of its access comes in. */
    @Test
    void whereAUserIsDoesNotLeave() {
        SipMessage message = parse("P-Access-Network-Info: 3GPP-UTRAN-TDD;utran-cell-id-3gpp=1");
        assertThat(domain.received(message, OUTSIDE)).isSameAs(message);
        assertThat(domain.leaving(message, INSIDE)).isSameAs(message);
        assertThat(domain.leaving(message, OUTSIDE).has(HeaderName.P_ACCESS_NETWORK_INFO))
                .isFalse();
    }

    private static String passport(String orig) {
        String claims =
                "{\"dest\":{\"tn\":[\"1\"]},\"iat\":1,\"orig\":{" + orig + "},\"origid\":\"x\"}";
        return "eyJ9."
                + java.util.Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(claims.getBytes(StandardCharsets.UTF_8))
                + ".c2ln;info=<https://x.example/c.pem>;alg=ES256;ppt=shaken";
    }

    /**
     * RFC 8224 11: id is no reason to remove Identity; but what reflects the asserted identity must
     * not tell it when that is removed.
     */
    @ParameterizedTest
    @CsvSource({
        "'\"tn\":\"4930\"', <sip:+49-30@example.com;user=phone>, true",
        "'\"tn\":\"4930\"', <tel:+49(30)>, true",
        "'\"tn\":\"4930\"', <sip:49301@example.com>, false",
        "'\"tn\":\"4930\"', <sip:anonymous@anonymous.invalid>, false",
        "'\"tn\":\"4930\"', <sip:anonymous@example.com>, false",
        "'\"uri\":\"sip:a@example.com\"', <sip:A@Example.com>, true",
        "'\"uri\":\"sip:king@example.com\"', <sip:a@example.com>, false",
    })
    void whoIsHiddenIsNotToldByASignatureEither(String orig, String from, boolean stays) {
        for (String[] headers :
                new String[][] {
                    {"Privacy: id"}, {"P-Asserted-Identity: <tel:+4930>"},
                }) {
            SipMessage message = signed(from, passport(orig), headers);
            assertThat(domain.leaving(message, INSIDE)).isSameAs(message);
            assertThat(domain.leaving(message, OUTSIDE).has(HeaderName.IDENTITY)).isEqualTo(stays);
        }
        SipMessage shown =
                signed(from, passport(orig), "Privacy: none", "P-Asserted-Identity: <tel:+4930>");
        assertThat(domain.leaving(shown, OUTSIDE).has(HeaderName.IDENTITY)).isTrue();
    }

    /** The compact form names nobody; but numbers can be tried. */
    @ParameterizedTest
    @CsvSource({
        "..c2ln, <sip:anonymous@anonymous.invalid>, false",
        "..c2ln, <sip:a@example.com>, true",
        "a.!.b, <sip:a@example.com>, false",
        "a, <sip:a@example.com>, false",
        "a.e30.b, <sip:a@example.com>, false",
    })
    void whatCannotBeReadIsNotShown(String token, String from, boolean stays) {
        SipMessage message = signed(from, token + ";info=<https://x.example/c.pem>", "Privacy: id");
        assertThat(domain.leaving(message, OUTSIDE).has(HeaderName.IDENTITY)).isEqualTo(stays);
    }

    private static SipMessage signed(String from, String identity, String... headers) {
        String[] all = java.util.Arrays.copyOf(headers, headers.length + 1);
        all[headers.length] = "Identity: " + identity;
        return from(from, all);
    }

    @ParameterizedTest
    @CsvSource({
        "10.255.0.1, true",
        "11.0.0.1, false",
        "2001:db8::1, true",
        "2001:db8:8000::1, false",
        "::ffff:10.0.0.1, true",
    })
    void rangesHoldTheirAddresses(String address, boolean held) {
        AddressRanges ranges = AddressRanges.of(List.of("10.0.0.0/8", "2001:db8::/33"));
        assertThat(ranges.contains(InetAddress.ofLiteral(address))).isEqualTo(held);
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.com", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", ""})
    void whatIsNoRangeIsRefused(String text) {
        assertThatThrownBy(() -> AddressRanges.of(List.of(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    /** RFC 8946 4: a PASSporT "div" names who diverted the call. */
    @ParameterizedTest
    @ValueSource(strings = {"history", "header"})
    void whoDivertedIsNotToldByASignatureEither(String privacy) {
        Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        String claims =
                "{\"dest\":{\"tn\":[\"12155551213\"]},\"div\":{\"tn\":\"4989777\"},"
                        + "\"iat\":1443208345,\"orig\":{\"tn\":\"4930111\"}}";
        String token =
                base64.encodeToString(
                                "{\"alg\":\"ES256\",\"ppt\":\"div\"}"
                                        .getBytes(StandardCharsets.UTF_8))
                        + '.'
                        + base64.encodeToString(claims.getBytes(StandardCharsets.UTF_8))
                        + ".c2ln";
        SipMessage message =
                from(
                        "<sip:+4930111@example.com>",
                        "Identity: " + token + ";info=<https://x.example/c.pem>;alg=ES256;ppt=div",
                        "Diversion: <sip:+4989777@example.com>;reason=unconditional",
                        "Privacy: " + privacy);
        String left = text(domain.leaving(message, OUTSIDE));
        assertThat(left).as("the header").doesNotContain("+4989777");
        assertThat(left).as("the signature of the same").doesNotContain(token);
    }
}
