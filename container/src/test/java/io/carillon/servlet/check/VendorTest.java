package io.carillon.servlet.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the check promises of the bridge: the types of its artifacts, and no others. */
class VendorTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.mobicents.javax.servlet.sip.SipSessionExt",
                "org.mobicents.javax.servlet.CongestionControlEvent$Reason",
                "org.mobicents.servlet.sip.annotation.ConcurrencyControlMode",
                "org.mobicents.servlet.sip.SipConnector"
            })
    void typesOfItsArtifactsAreTheBridges(String type) {
        assertThat(Vendor.bridged(type)).isTrue();
        assertThat(Vendor.advice(type)).contains("./carillon bridge install");
    }

    /** Later releases and the server itself have more in these packages. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.mobicents.javax.servlet.sip.SipServletContextExt",
                "org.mobicents.javax.servlet.GracefulShutdownCheckEvent",
                "org.mobicents.servlet.sip.SipConnectors",
                "org.mobicents.servlet.sip.notification.SipSessionNotification"
            })
    void othersOfTheirPackagesAreNot(String type) {
        assertThat(Vendor.bridged(type)).isFalse();
        assertThat(Vendor.advice(type))
                .doesNotContain("bridge install")
                .contains("is of Mobicents, which is not in the archive");
    }
}
