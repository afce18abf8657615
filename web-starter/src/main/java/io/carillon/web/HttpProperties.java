package io.carillon.web;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The {@code carillon.web.http} properties: how slow a visitor may be, where the web server is
 * Jetty.
 *
 * @param headWithin from the first byte of a request's head to its end
 * @param minDataRate bytes per second at least, of a body that is waited for and of a response
 * @param dataGrace that both may fall behind
 */
@ConfigurationProperties("carillon.web.http")
record HttpProperties(
        @DefaultValue("10s") Duration headWithin,
        @DefaultValue("1000") int minDataRate,
        @DefaultValue("5s") Duration dataGrace) {

    HttpProperties {
        if (minDataRate < 1) {
            throw new IllegalArgumentException("carillon.web.http.min-data-rate must be 1 or more");
        }
    }
}
