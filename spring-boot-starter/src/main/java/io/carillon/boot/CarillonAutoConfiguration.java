package io.carillon.boot;

import ch.qos.logback.classic.LoggerContext;
import io.carillon.pojo.spring.SipBeans;
import io.carillon.telemetry.spans.CallTraces;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.servlet.Filter;
import java.util.List;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipSessionsUtil;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.unit.DataSize;

/**
 * Embeds Carillon: every bean annotated {@link io.carillon.pojo.SipHandler} handles SIP messages.
 */
@AutoConfiguration
@ConditionalOnProperty(name = "carillon.enabled", matchIfMissing = true)
@EnableConfigurationProperties({
    CarillonProperties.class,
    ProtectionProperties.class,
    TelemetryProperties.class,
    RecordProperties.class
})
public class CarillonAutoConfiguration {
    @Bean
    static SipApplicationContext sipApplicationContext(ConfigurableListableBeanFactory factory) {
        return new SipApplicationContext(factory);
    }

    @Bean
    static SipBeans sipBeans(
            SipApplicationContext application, ConfigurableListableBeanFactory factory) {
        List<String> packages =
                AutoConfigurationPackages.has(factory)
                        ? AutoConfigurationPackages.get(factory)
                        : List.of();
        return new SipBeans(application::servletContext, packages);
    }

    @Bean
    @ConditionalOnMissingBean
    SipRuntime sipRuntime(
            CarillonProperties properties,
            ProtectionProperties limits,
            RecordProperties records,
            ObjectProvider<CallTraces> traces) {
        return new NetworkRuntime(properties, limits, records, traces.getIfAvailable());
    }

    @Bean
    CarillonLifecycle carillonLifecycle(
            CarillonProperties properties,
            Environment environment,
            SipApplicationContext application,
            SipRuntime runtime) {
        return new CarillonLifecycle(
                properties, nameOf(properties, environment), application, runtime);
    }

    private static String nameOf(CarillonProperties properties, Environment environment) {
        String named = properties.application();
        String name =
                named != null ? named : environment.getProperty("spring.application.name", "");
        return name.isBlank() ? "application" : name;
    }

    @Bean
    SipTurns sipTurns(SipApplicationContext application) {
        return new SipTurns(application);
    }

    /** Where Logback logs, as it does in an application that says nothing else. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(LoggerContext.class)
    @Lazy(false)
    static class CallsInLog {
        CallsInLog() {
            LogbackCalls.install();
        }
    }

    /** Where there is an actuator. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class Health {
        @Bean
        CarillonHealthIndicator carillonHealthIndicator(SipRuntime runtime) {
            return new CarillonHealthIndicator(runtime);
        }
    }

    /** Where there are metrics. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class Metrics {
        @Bean
        CarillonMetrics carillonMetrics(SipRuntime runtime) {
            return new CarillonMetrics(runtime);
        }
    }

    /** Where traces of calls go to a collector. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty("carillon.telemetry.traces.otlp")
    static class Telemetry {
        @Bean
        @ConditionalOnMissingBean
        CallTraces callTraces(
                TelemetryProperties telemetry,
                CarillonProperties properties,
                Environment environment) {
            try {
                return BootTraces.open(
                        telemetry.traces(),
                        String.valueOf(telemetry.traces().otlp()),
                        nameOf(properties, environment));
            } catch (NoClassDefFoundError e) {
                throw new SipStartException(
                        "carillon.telemetry.traces.otlp: add"
                                + " io.opentelemetry:opentelemetry-exporter-otlp to the application ("
                                + e.getMessage()
                                + " is missing)",
                        e);
            }
        }
    }

    /** Where pages may begin calls whose traces go to a collector. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty("carillon.telemetry.traces.otlp")
    @ConditionalOnClass(Filter.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class TracedPages {
        @Bean
        PageSpanFilter pageSpanFilter(CallTraces traces) {
            return new PageSpanFilter(traces);
        }
    }

    /** Where there are pages. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Filter.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class Pages {
        /** So much of the heap is for bodies that are being read. */
        private static final int PART_OF_BODIES = 16;

        /** Half of the threads that Tomcat has as it comes, and Jetty. */
        private static final int BODIES_AT_ONCE = 100;

        @Bean
        BoundedBodies boundedBodies(
                ProtectionProperties protection,
                @Value("${carillon.web.max-request:10MB}") DataSize most) {
            return new BoundedBodies(
                    most.toBytes(),
                    Runtime.getRuntime().maxMemory() / PART_OF_BODIES,
                    BODIES_AT_ONCE,
                    protection.trustedSources());
        }

        @Bean
        SipWeb sipWeb(SipFactory factory, SipSessionsUtil sessions) {
            return new SipWeb(factory, sessions);
        }

        @Bean
        SipSessionFilter sipSessionFilter(SipWeb web) {
            return new SipSessionFilter(web);
        }
    }

    /** Where the names of this server are told; the web starter does without. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Filter.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @Conditional(HostsAreTold.class)
    static class Names {
        @Bean
        KnownHosts knownHosts(Environment environment) {
            return new KnownHosts(HostsAreTold.hosts(environment));
        }
    }

    /** Where {@code carillon.web.hosts} is set. */
    static final class HostsAreTold implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !hosts(context.getEnvironment()).isEmpty();
        }

        static List<String> hosts(Environment environment) {
            return Binder.get(environment)
                    .bind("carillon.web.hosts", Bindable.listOf(String.class))
                    .orElse(List.of());
        }
    }
}
