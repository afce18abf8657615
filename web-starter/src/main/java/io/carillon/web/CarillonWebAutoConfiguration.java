package io.carillon.web;

import io.carillon.boot.CarillonAutoConfiguration;
import java.util.List;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.TimerService;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Adds the REST API and its handlers to an application that embeds Carillon. */
@AutoConfiguration(after = CarillonAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "carillon.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WebProperties.class)
public class CarillonWebAutoConfiguration {
    @Bean
    EventStreams eventStreams(WebProperties properties) {
        return new EventStreams(properties.streamsPerUser());
    }

    @Bean
    WebCalls webCalls(WebProperties properties, SipFactory factory, SipSessionsUtil sessions) {
        return new WebCalls(properties, new Destinations(properties, factory), factory, sessions);
    }

    @Bean
    CallFlow callFlow(
            SipFactory factory,
            TimerService timers,
            WebProperties properties,
            EventStreams streams,
            List<CallListener> listeners) {
        return new CallFlow(factory, timers, properties, streams, listeners);
    }

    /** Takes initial INVITEs: an application that has a handler of its own for them leaves it out. */
    @Bean
    @ConditionalOnProperty(name = "carillon.web.incoming", matchIfMissing = true)
    Notifications notifications(
            WebProperties properties, EventStreams streams, SipSessionsUtil sessions) {
        return new Notifications(properties, streams, sessions);
    }

    @Bean
    CallApi callApi(
            WebProperties properties,
            WebCalls calls,
            CallFlow flow,
            ObjectProvider<Notifications> notifications,
            EventStreams streams) {
        SignIns signIns =
                new SignIns(
                        properties.accounts(), properties.signedIn(), System::currentTimeMillis);
        return new CallApi(properties, signIns, calls, flow, notifications.getIfAvailable(), streams);
    }
}
