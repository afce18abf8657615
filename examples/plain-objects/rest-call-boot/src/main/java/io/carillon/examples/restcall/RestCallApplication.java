package io.carillon.examples.restcall;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Answers calls to {@code sip:hello@...}, and connects two phones for a REST client. */
@SpringBootApplication
@EnableConfigurationProperties(Destinations.Hosts.class)
public class RestCallApplication implements WebMvcConfigurer {
    public static void main(String[] arguments) {
        SpringApplication.run(RestCallApplication.class, arguments);
    }

    /** No page of another site makes a visitor's browser call. */
    @Override
    public void addCorsMappings(CorsRegistry registry) {
        registry.addMapping("/**").allowedOrigins();
    }
}
