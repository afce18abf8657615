package io.carillon.boot.test;

import io.carillon.boot.SipRuntime;
import io.carillon.servlettest.SipTestServer;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/** What {@link SipTest} puts in the place of the network. */
@TestConfiguration(proxyBeanMethods = false)
class VirtualSip {
    @Bean(destroyMethod = "close")
    SipTestServer sipTestServer(
            @Value("${carillon.test.seed:1}") long seed,
            @Value("${carillon.test.round-trip:false}") boolean roundTrip) {
        return SipTestServer.open(seed, roundTrip);
    }

    @Bean
    SipRuntime sipRuntime(SipTestServer server) {
        return new VirtualRuntime(server);
    }
}
