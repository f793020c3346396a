#version 300 es
// The hero's lantern in the caves of Level 2: light falls off with the distance and flickers a little.
precision mediump float;

uniform sampler2D scene;
uniform vec2 lantern;
uniform float radius;
uniform float time;
in vec2 position;
out vec4 colour;

void main() {
    float flicker = 1.0 + 0.05 * sin(time * 13.0) * sin(time * 7.0);
    float light = 1.0 - smoothstep(0.2, 1.0, distance(position, lantern) / (radius * flicker));
    colour = vec4(texture(scene, position).rgb * (0.08 + light * vec3(1.0, 0.85, 0.6)), 1.0);
}
