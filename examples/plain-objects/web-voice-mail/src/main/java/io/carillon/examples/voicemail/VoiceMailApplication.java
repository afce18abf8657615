package io.carillon.examples.voicemail;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A personal page whose button connects the user's phone with his voice mail. */
@SpringBootApplication
public class VoiceMailApplication {
    public static void main(String[] arguments) {
        var context = SpringApplication.run(VoiceMailApplication.class, arguments);
        System.out.println("READY  " + context.getEnvironment().getProperty("local.server.port"));
    }
}
