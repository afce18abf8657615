package io.carillon.servlet.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.header.HeaderName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SIP Servlet 1.1, 4.1.2 and 4.1.3: what an application may do to which header of what message. */
class HeaderRulesTest {
    private static Rights rights(String header, String method, int status) {
        return HeaderRules.rights(HeaderName.of(header), method, status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "From",
                "To",
                "Call-ID",
                "CSeq",
                "Via",
                "Route",
                "Record-Route",
                "Path",
                "RSeq",
                "RAck"
            })
    void systemHeadersAreTheContainers(String header) {
        assertThat(rights(header, "INVITE", 0)).isEqualTo(Rights.READ_ONLY);
        assertThat(rights(header, "INVITE", 200)).isEqualTo(Rights.READ_ONLY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Subject", "X-Own", "Refer-To", "Content-Type", "Expires"})
    void othersAreTheApplications(String header) {
        assertThat(rights(header, "INVITE", 0)).isEqualTo(Rights.FREE);
    }

    @ParameterizedTest
    @CsvSource({
        "INVITE, 0, CONTACT",
        "INVITE, 200, CONTACT",
        "INVITE, 180, CONTACT",
        "INVITE, 302, FREE",
        "INVITE, 399, FREE",
        "INVITE, 400, CONTACT",
        "INVITE, 485, FREE",
        "REGISTER, 0, FREE",
        "REGISTER, 200, FREE",
        "OPTIONS, 200, FREE",
        "OPTIONS, 0, CONTACT",
    })
    void contactIsTheApplicationsWhereItIsNoWayToUs(String method, int status, Rights expected) {
        assertThat(rights("Contact", method, status)).isEqualTo(expected);
    }

    /** RFC 3327 5.3: the registrar copies Path into its 200. */
    @Test
    void pathIsTheRegistrarsInItsAnswerAlone() {
        assertThat(rights("Path", "REGISTER", 200)).isEqualTo(Rights.FREE);
        assertThat(rights("Path", "REGISTER", 0)).isEqualTo(Rights.READ_ONLY);
        assertThat(rights("Path", "INVITE", 200)).isEqualTo(Rights.READ_ONLY);
    }

    /** RFC 3261 8.2.6.2, 13.2.2.4 and 9.1: these repeat the parties of another message. */
    @ParameterizedTest
    @CsvSource({
        "INVITE, 0, true",
        "BYE, 0, true",
        "ACK, 0, false",
        "CANCEL, 0, false",
        "INVITE, 200, false"
    })
    void partiesAreRenamedInRequestsOnly(String method, int status, boolean may) {
        assertThat(HeaderRules.mayRename(method, status)).isEqualTo(may);
    }

    @ParameterizedTest
    @CsvSource({
        "3600, 3600",
        "0, 0",
        "2147483647, 2147483647",
        "99999999999, 2147483647",
        "soon, -1",
        "-5, -1"
    })
    void secondsAreWholeAndNeverNegative(String text, int expected) {
        assertThat(HeaderRules.seconds(text)).isEqualTo(expected);
    }

    @Test
    void lengthIsComputedAndAHeaderHasAName() {
        assertThat(HeaderRules.isComputed(HeaderName.of("l"))).isTrue();
        assertThat(HeaderRules.isComputed(HeaderName.of("Content-Type"))).isFalse();
        assertThatThrownBy(() -> HeaderRules.named(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void anExtensionHeaderMayHoldAddresses() {
        assertThat(HeaderRules.isAddress(HeaderName.of("X-Own"))).isFalse();
        assertThat(HeaderRules.mayBeAddress(HeaderName.of("X-Own"))).isTrue();
        assertThat(HeaderRules.mayBeAddress(HeaderName.of("Subject"))).isFalse();
    }
}
