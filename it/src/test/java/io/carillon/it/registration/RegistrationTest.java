package io.carillon.it.registration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a phone of the load holds for bound. */
class RegistrationTest {
    private final Registration phone = new Registration("bob", "secret", "MD5", 6000, "run");

    private static Set<String> bound(int line, int q) {
        return Registration.bindings(
                "SIP/2.0 200 OK\r\nContact: <sip:bob@127.0.0.1:6000;line="
                        + line
                        + ">;q=0."
                        + Integer.toString(1000 + q).substring(1)
                        + ";expires=3599\r\n\r\n");
    }

    private void acknowledged(int times) {
        for (int i = 0; i < times; i++) {
            phone.next();
            phone.acknowledge();
        }
    }

    @Test
    void theLastAcknowledgedRegistrationMustBeBoundAlone() {
        acknowledged(3);
        assertThat(phone.agrees(bound(0, 2))).isTrue();
        assertThat(phone.agrees(bound(0, 1))).isFalse();
        assertThat(phone.agrees(Set.of())).isFalse();
    }

    @Test
    void oneThatWasOnItsWayMayBeBoundInstead() {
        acknowledged(1);
        phone.next();
        assertThat(phone.agrees(bound(0, 1))).isTrue();
        assertThat(phone.agrees(bound(0, 0))).as("it is known to be done now").isFalse();
    }

    @Test
    void everyTenthTimeTheContactMovesAndTheOldOneIsRemoved() {
        acknowledged(10);
        phone.next();
        assertThat(phone.contacts())
                .contains("Contact: <sip:bob@127.0.0.1:6000;line=1>;expires=3600;q=0.010")
                .contains("Contact: <sip:bob@127.0.0.1:6000;line=0>;expires=0");
        phone.acknowledge();
        assertThat(phone.agrees(bound(1, 10))).isTrue();
    }
}
