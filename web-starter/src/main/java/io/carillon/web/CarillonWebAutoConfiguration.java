package io.carillon.web;

import io.carillon.boot.CarillonAutoConfiguration;
import io.carillon.boot.KnownHosts;
import io.carillon.boot.SipTurns;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.TimerService;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.support.ResourcePatternResolver;
import org.springframework.util.function.SingletonSupplier;

/** Adds the REST API and its handlers to an application that embeds Carillon. */
@AutoConfiguration(after = CarillonAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "carillon.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WebProperties.class)
@Import(LeanJetty.class)
public class CarillonWebAutoConfiguration {
    /** Spring Security's filter stands at -100. */
    private static final int PAGES_ORDER = -90;

    @Bean
    EventStreams eventStreams(WebProperties properties) {
        return new EventStreams(properties.streamsPerUser());
    }

    @Bean
    WebCalls webCalls(
            WebProperties properties,
            SipFactory factory,
            SipSessionsUtil sessions,
            SipTurns turns,
            CallFlow flow) {
        Destinations destinations = new Destinations(properties, factory);
        return new WebCalls(properties, destinations, factory, sessions, turns, flow);
    }

    @Bean
    CallFlow callFlow(
            SipFactory factory,
            TimerService timers,
            WebProperties properties,
            EventStreams streams,
            ObjectProvider<CallListener> listeners) {
        // Asked for with the first call: listeners may themselves need what makes calls.
        Supplier<List<CallListener>> asked =
                SingletonSupplier.of(() -> listeners.orderedStream().toList());
        return new CallFlow(factory, timers, properties, streams, asked);
    }

    /**
     * Takes initial INVITEs: an application that has a handler of its own for them leaves it out.
     */
    @Bean
    @ConditionalOnProperty(name = "carillon.web.incoming", matchIfMissing = true)
    Notifications notifications(
            WebProperties properties,
            EventStreams streams,
            SipSessionsUtil sessions,
            SipTurns turns) {
        return new Notifications(properties, streams, sessions, turns);
    }

    /** Behind filters that decide who may see what, before all that a page does not need. */
    @Bean
    @ConditionalOnProperty("carillon.web.pages-in-memory")
    FilterRegistrationBean<PagesInMemory> pagesInMemory(ResourcePatternResolver files)
            throws IOException {
        var registration = new FilterRegistrationBean<>(new PagesInMemory(files));
        registration.setOrder(PAGES_ORDER);
        return registration;
    }

    @Bean
    @ConditionalOnMissingBean
    KnownHosts knownHosts(WebProperties properties) {
        return new KnownHosts(properties.hosts());
    }

    @Bean
    FilterRegistrationBean<SmallBodies> smallBodies() {
        var registration = new FilterRegistrationBean<>(new SmallBodies());
        // Not all of /api: the application may have resources of its own there.
        registration.addUrlPatterns(
                "/api/sign-ins",
                "/api/sign-ins/*",
                "/api/calls",
                "/api/calls/*",
                "/api/call-notifications",
                "/api/call-notifications/*",
                "/api/events",
                "/api/events/*");
        registration.setOrder(KnownHosts.ORDER + 1);
        return registration;
    }

    @Bean
    ApiProblems apiProblems() {
        return new ApiProblems();
    }

    @Bean
    SignIns signIns(WebProperties properties) {
        return new SignIns(
                new Passwords(properties.accounts()),
                properties.signedIn(),
                System::currentTimeMillis);
    }

    /** Where there are metrics. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class Metrics {
        @Bean
        MeterBinder carillonWebMetrics(SignIns signIns, KnownHosts hosts) {
            return registry -> {
                FunctionCounter.builder("carillon.web.sign.ins.refused", signIns, SignIns::refused)
                        .description("Tries refused without a look at the password")
                        .register(registry);
                FunctionCounter.builder("carillon.web.hosts.refused", hosts, KnownHosts::refused)
                        .description("Requests to a name that is not ours")
                        .register(registry);
            };
        }
    }

    @Bean
    CallApi callApi(
            WebProperties properties,
            SignIns signIns,
            WebCalls calls,
            ObjectProvider<Notifications> notifications,
            EventStreams streams) {
        return new CallApi(properties, signIns, calls, notifications.getIfAvailable(), streams);
    }
}
