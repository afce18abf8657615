package io.carillon.examples.restcall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import io.carillon.boot.KnownHosts;
import io.carillon.boot.test.SipTest;
import io.carillon.examples.restcall.CallController.Order;
import io.carillon.examples.restcall.CallProgress.State;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import io.carillon.testkit.UserAgent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.server.ResponseStatusException;

/** The example without a port: SIP in virtual time, the controller by its methods. */
@SipTest
class RestCallTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Each phone of each test has an address of its own. */
    @DynamicPropertySource
    static void phonesMayBeCalled(DynamicPropertyRegistry properties) {
        properties.add("rest-call.allowed[0]", () -> ".example.com");
        for (int i = 1; i < 50; i++) {
            String address = "10.0.1." + i;
            properties.add("rest-call.allowed[" + i + "]", () -> address);
        }
    }

    @Autowired SipTestServer server;
    @Autowired CallController calls;
    @Autowired WebApplicationContext context;

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
        String first = alice.uri().toString().replace("alice@", "x;y=@");
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

    private MockHttpServletResponse asked(MockHttpServletRequestBuilder request) throws Exception {
        return MockMvcBuilders.webAppContextSetup(context)
                .addFilters(context.getBean(KnownHosts.class))
                .build()
                .perform(
                        request.contentType("application/json")
                                .content(
                                        "{\"first\":\"sip:alice@10.0.1.1\",\"second\":\"sip:bob@10.0.1.2\"}"))
                .andReturn()
                .getResponse();
    }

    @Test
    void aPageElsewhereMakesNoCalls() throws Exception {
        String misdirected = "http://evil.example/";
        assertThat(asked(post(misdirected + "calls")).getStatus()).isEqualTo(421);
        assertThat(asked(get(misdirected + "actuator/health")).getStatus()).isEqualTo(421);
        MockHttpServletRequestBuilder otherSite =
                post("http://127.0.0.1:8080/calls").header("Origin", "http://evil.example");
        assertThat(asked(otherSite).getStatus()).isEqualTo(403);
        MockHttpServletRequestBuilder own =
                post("http://localhost:8080/calls").header("Origin", "http://localhost:8080");
        MockHttpServletResponse made = asked(own);
        assertThat(made.getStatus()).isEqualTo(201);
        String location = "http://localhost:8080" + made.getHeader("Location");
        assertThat(asked(delete(location)).getStatus()).isEqualTo(204);
        server.advance(SECOND);
    }

    @Test
    void whoBeganAnotherCallKnowsNoId() throws Exception {
        UserAgent alice = server.phone("alice").onCall(Call::ring);
        UserAgent bob = server.phone("bob");
        String own = begin(alice, bob);
        String others = begin(alice, bob);
        assertThat(own).matches("[0-9a-f]{32}");
        // Neither has a part of the other.
        for (int i = 0; i + 8 <= own.length(); i++) {
            assertThat(others).doesNotContain(own.substring(i, i + 8));
        }
        calls.end(own);
        calls.end(others);
        server.advance(SECOND);
    }

    @Test
    void whatCannotBeCalledIsRefused() {
        for (String uri :
                List.of(
                        "sip:x@10.0.2.1",
                        "sip:x@127.0.0.1:6379;transport=tcp",
                        "sip:x@notexample.com",
                        "sip:x@example.com")) {
            assertThatThrownBy(() -> calls.begin(new Order("sip:bob@phone.example.com", uri)))
                    .isInstanceOf(ResponseStatusException.class)
                    .hasMessageContaining("403");
        }
        for (String more : List.of(";maddr=10.0.1.3", ";method=BYE", "?Subject=x")) {
            Order order = new Order("sip:bob@phone.example.com" + more, "sip:bob@10.0.1.2");
            assertThatThrownBy(() -> calls.begin(order)).hasMessageContaining("400");
        }
        assertThatThrownBy(() -> calls.begin(new Order("tel:+4990", "sip:bob@example.com")))
                .isInstanceOf(ResponseStatusException.class)
                .hasMessageContaining("first has to be a SIP URI");
        assertThatThrownBy(() -> calls.show("nothing"))
                .isInstanceOf(ResponseStatusException.class)
                .hasMessageContaining("404");
    }
}
