package io.carillon.examples.restcall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.boot.test.SipTest;
import io.carillon.examples.restcall.CallController.Order;
import io.carillon.examples.restcall.CallProgress.State;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import io.carillon.testkit.UserAgent;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.web.server.ResponseStatusException;

/** The example without a port: SIP in virtual time, the controller by its methods. */
@SipTest
class RestCallTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Autowired SipTestServer server;
    @Autowired CallController calls;

    private String begin(UserAgent first, UserAgent second) throws Exception {
        Order order = new Order(first.uri().toString(), second.uri().toString());
        String id = calls.begin(order).getBody().id();
        server.advance(SECOND);
        return id;
    }

    @AfterEach
    void nothingIsLeft() {
        server.assertNothingLeft();
    }

    @Test
    void helloIsAnswered() {
        Call call = server.phone("alice").call(server.uri("hello"));
        server.advance(SECOND);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        call.bye();
    }

    @Test
    void twoPhonesAreConnectedAndTheClientHangsUp() throws Exception {
        UserAgent alice = server.phone("alice").onCall(Call::answer);
        UserAgent bob = server.phone("bob").onCall(Call::answer);
        String id = begin(alice, bob);
        assertThat(calls.show(id).state()).isEqualTo(State.CONNECTED);
        assertThat(alice.lastCall().state()).isEqualTo(Call.State.ESTABLISHED);
        calls.end(id);
        server.advance(SECOND);
        assertThat(alice.lastCall().state()).isEqualTo(Call.State.ENDED);
        assertThat(bob.lastCall().state()).isEqualTo(Call.State.ENDED);
    }

    @Test
    void aClientThatHangsUpWhileAPhoneRingsEndsThatCall() throws Exception {
        for (boolean answered : new boolean[] {false, true}) {
            UserAgent alice = server.phone("alice").onCall(answered ? Call::answer : Call::ring);
            UserAgent bob = server.phone("bob").onCall(Call::ring);
            String id = begin(alice, bob);
            calls.end(id);
            server.advance(SECOND);
            assertThat(alice.lastCall().state()).isEqualTo(Call.State.ENDED);
            assertThat(bob.calls()).allMatch(call -> call.state() == Call.State.ENDED);
            assertThat(bob.calls()).hasSize(answered ? 1 : 0);
        }
    }

    @Test
    void aClientThatHangsUpBeforeTheFirstPhoneRingsCallsNobody() throws Exception {
        UserAgent alice = server.phone("alice").onCall(Call::answer);
        UserAgent bob = server.phone("bob").onCall(Call::answer);
        Order order = new Order(alice.uri().toString(), bob.uri().toString());
        calls.end(calls.begin(order).getBody().id());
        server.advance(SECOND);
        assertThat(alice.calls()).allMatch(call -> call.state() == Call.State.ENDED);
        assertThat(bob.calls()).isEmpty();
    }

    @Test
    void theUriThatWasCheckedIsTheOneThatIsCalled() throws Exception {
        UserAgent alice = server.phone("alice").onCall(Call::answer);
        UserAgent bob = server.phone("bob").onCall(Call::answer);
        // Read without its brackets this is another host with a parameter of the header's.
        String first = alice.uri().toString().replace("alice@", "x:5060;y=@");
        calls.begin(new Order(first, bob.uri().toString()));
        server.advance(SECOND);
        assertThat(alice.calls()).hasSize(1);
        assertThat(bob.lastCall().state()).isEqualTo(Call.State.ESTABLISHED);
        alice.lastCall().bye();
        server.advance(SECOND);
    }

    @Test
    void aPhoneHangsUp() throws Exception {
        UserAgent alice = server.phone("alice").onCall(Call::answer);
        UserAgent bob = server.phone("bob").onCall(Call::answer);
        begin(alice, bob);
        bob.lastCall().bye();
        server.advance(SECOND);
        assertThat(alice.lastCall().state()).isEqualTo(Call.State.ENDED);
    }

    @Test
    void theSecondPhoneIsBusy() throws Exception {
        UserAgent alice = server.phone("alice").onCall(Call::answer);
        UserAgent bob = server.phone("bob").onCall(call -> call.reject(486));
        begin(alice, bob);
        assertThat(alice.lastCall().state()).isEqualTo(Call.State.ENDED);
    }

    @Test
    void whatCannotBeCalledIsRefused() {
        assertThatThrownBy(() -> calls.begin(new Order("tel:+4990", "sip:bob@example.com")))
                .isInstanceOf(ResponseStatusException.class)
                .hasMessageContaining("first has to be a SIP URI");
        assertThatThrownBy(() -> calls.show("nothing"))
                .isInstanceOf(ResponseStatusException.class)
                .hasMessageContaining("404");
    }
}
