package io.carillon.server.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RuleTextTest {
    @Test
    void usersAreWrittenAsPeopleWriteThem() {
        assertThat(RuleText.user("alice")).isEqualTo(new Rule.ByUser("alice", null));
        assertThat(RuleText.user("alice@a.example"))
                .isEqualTo(new Rule.ByUser("alice", "a.example"));
        assertThat(RuleText.user("sip:alice@a.example;transport=tcp"))
                .isEqualTo(new Rule.ByUser("alice", "a.example"));
        assertThat(RuleText.user("tel:+4930123")).isEqualTo(new Rule.ByUser("+4930123", null));
    }

    @Test
    void peersAreAddressesInDigitsWithOrWithoutPort() {
        assertThat(RuleText.peer("192.0.2.1").text()).isEqualTo("peer 192.0.2.1");
        assertThat(RuleText.peer("192.0.2.1:5062").text()).isEqualTo("peer 192.0.2.1:5062");
        assertThat(RuleText.peer("2001:db8::1").text()).isEqualTo("peer 2001:db8:0:0:0:0:0:1");
        assertThat(RuleText.peer("[2001:db8::1]").port()).isZero();
        assertThat(RuleText.peer("[2001:db8::1]:5060").port()).isEqualTo(5060);
        for (String wrong :
                new String[] {"", "host", "1.2.3", "1.2.3.4:x", "1.2.3.400", "[::1", ":"}) {
            assertThat(RuleText.peer(wrong)).as(wrong).isNull();
        }
    }
}
