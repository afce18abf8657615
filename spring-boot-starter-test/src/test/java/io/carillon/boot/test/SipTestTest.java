package io.carillon.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import io.carillon.testkit.UserAgent;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.DefaultMockMvcBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

/** A Boot application in the simulated network: calls, health, metrics, and a page that calls. */
@SipTest
@DirtiesContext(
        methodMode = DirtiesContext.MethodMode.AFTER_METHOD,
        classMode = DirtiesContext.ClassMode.AFTER_EACH_TEST_METHOD)
class SipTestTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Autowired SipTestServer server;
    @Autowired WebApplicationContext context;

    @Test
    void aHandlerBeanTakesCalls(
            @Autowired HealthIndicator carillonHealthIndicator, @Autowired MeterRegistry meters) {
        UserAgent alice = server.phone("alice");
        UserAgent bob = server.phone("bob").onCall(Call::answer);
        Call call = alice.call(server.uri("anybody"));
        server.advance(SECOND);
        assertThat(bob.calls()).hasSize(1);
        assertThat(carillonHealthIndicator.health().getStatus()).isEqualTo(Status.UP);
        assertThat(meters.get("carillon.calls.held").gauge().value()).isEqualTo(1);
        assertThat(meters.get("carillon.calls.started").functionCounter().count()).isEqualTo(1);
        call.cancel();
    }

    @Test
    void pageAndHandlerShareAnApplicationSession() throws Exception {
        server.phone("unused");
        server.phone("bob").onCall(Call::answer);
        DefaultMockMvcBuilder builder = MockMvcBuilders.webAppContextSetup(context);
        context.getBeansOfType(jakarta.servlet.Filter.class).values().forEach(builder::addFilters);
        MockMvc pages = builder.build();
        MockHttpSession visitor = new MockHttpSession();
        String session =
                pages.perform(MockMvcRequestBuilders.post("/call").session(visitor))
                        .andReturn()
                        .getResponse()
                        .getContentAsString();
        server.advance(SECOND);
        String progress =
                pages.perform(MockMvcRequestBuilders.get("/progress").session(visitor))
                        .andReturn()
                        .getResponse()
                        .getContentAsString();
        assertThat(progress).isEqualTo(session + " answered 200");
    }
}
