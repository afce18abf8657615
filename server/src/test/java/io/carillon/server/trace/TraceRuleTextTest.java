package io.carillon.server.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TraceRuleTextTest {
    @Test
    void usersAreWrittenAsPeopleWriteThem() {
        assertThat(TraceRuleText.user("alice")).isEqualTo(new TraceRule.ByUser("alice", null));
        assertThat(TraceRuleText.user("alice@a.example"))
                .isEqualTo(new TraceRule.ByUser("alice", "a.example"));
        assertThat(TraceRuleText.user("sip:alice@a.example;transport=tcp"))
                .isEqualTo(new TraceRule.ByUser("alice", "a.example"));
        assertThat(TraceRuleText.user("tel:+4930123"))
                .isEqualTo(new TraceRule.ByUser("+4930123", null));
    }

    @Test
    void peersAreAddressesInDigitsWithOrWithoutPort() {
        assertThat(TraceRuleText.peer("192.0.2.1").text()).isEqualTo("peer 192.0.2.1");
        assertThat(TraceRuleText.peer("192.0.2.1:5062").text()).isEqualTo("peer 192.0.2.1:5062");
        assertThat(TraceRuleText.peer("2001:db8::1").text()).isEqualTo("peer 2001:db8:0:0:0:0:0:1");
        assertThat(TraceRuleText.peer("[2001:db8::1]").port()).isZero();
        assertThat(TraceRuleText.peer("[2001:db8::1]:5060").port()).isEqualTo(5060);
        for (String wrong :
                new String[] {"", "host", "1.2.3", "1.2.3.4:x", "1.2.3.400", "[::1", ":"}) {
            assertThat(TraceRuleText.peer(wrong)).as(wrong).isNull();
        }
    }
}
