#version 300 es
// Water: two moving waves bend the picture behind it.
precision mediump float;

uniform sampler2D scene;
uniform float time;
in vec2 position;
out vec4 colour;

void main() {
    float wave = sin(position.x * 40.0 + time * 2.0) + sin(position.x * 23.0 - time * 1.3);
    vec2 bent = position + vec2(0.0, wave * 0.004);
    vec3 behind = texture(scene, bent).rgb;
    colour = vec4(mix(behind, vec3(0.17, 0.43, 0.75), 0.45), 1.0);
}
