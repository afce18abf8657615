package io.carillon.examples.restcall;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Answers calls to {@code sip:hello@...}, and connects two phones for a REST client. */
@SpringBootApplication
public class RestCallApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(RestCallApplication.class, arguments);
    }
}
